;; What is done row by row, 384 floats wide: the embedding, layer normalisation, and the mean that makes a text's vector.
(module
  (import "engine" "memory" (memory 1))

  (func $total (param $v v128) (result f32)
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v)))
      (f32.add (f32x4.extract_lane 2 (local.get $v)) (f32x4.extract_lane 3 (local.get $v)))))

  ;; x[r] = words[ids[r]] * wordScales[ids[r]], and y[r] = positions[places[r]], to be added by normalise.
  (func (export "embed")
    (param $ids i32) (param $places i32) (param $rows i32) (param $words i32) (param $wordScales i32) (param $positions i32)
    (param $x i32) (param $y i32)
    (local $word i32) (local $position i32) (local $scale v128) (local $end i32) (local $lastId i32)
    (local.set $lastId (i32.add (local.get $ids) (i32.shl (local.get $rows) (i32.const 2))))
    (loop $eachRow
      (local.set $word (i32.add (local.get $words) (i32.mul (i32.load (local.get $ids)) (i32.const 384))))
      (local.set $scale (v128.load32_splat (i32.add (local.get $wordScales) (i32.shl (i32.load (local.get $ids)) (i32.const 2)))))
      (local.set $position (i32.add (local.get $positions) (i32.mul (i32.load (local.get $places)) (i32.const 1536))))
      (local.set $end (i32.add (local.get $x) (i32.const 1536)))
      (loop $four
        (v128.store (local.get $x) (f32x4.mul (local.get $scale)
          (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (i16x8.extend_low_i8x16_s (v128.load32_zero (local.get $word)))))))
        (v128.store (local.get $y) (v128.load (local.get $position)))
        (local.set $word (i32.add (local.get $word) (i32.const 4)))
        (local.set $position (i32.add (local.get $position) (i32.const 16)))
        (local.set $y (i32.add (local.get $y) (i32.const 16)))
        (br_if $four (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end))))
      (local.set $places (i32.add (local.get $places) (i32.const 4)))
      (br_if $eachRow (i32.lt_u (local.tee $ids (i32.add (local.get $ids) (i32.const 4))) (local.get $lastId)))))

  ;; x[r] = (x[r] + y[r] - mean) / deviation * gamma + beta
  (func (export "normalise") (param $x i32) (param $y i32) (param $gamma i32) (param $beta i32) (param $rows i32)
    (local $at i32) (local $p i32) (local $v v128) (local $sum v128) (local $mean v128) (local $factor v128)
    (loop $eachRow
      (local.set $sum (v128.const f32x4 0 0 0 0))
      (local.set $at (i32.const 0))
      (loop $four
        (local.set $p (i32.add (local.get $x) (local.get $at)))
        (local.set $v (f32x4.add (v128.load (local.get $p)) (v128.load (i32.add (local.get $y) (local.get $at)))))
        (v128.store (local.get $p) (local.get $v))
        (local.set $sum (f32x4.add (local.get $sum) (local.get $v)))
        (br_if $four (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (i32.const 1536))))
      (local.set $mean (f32x4.splat (f32.div (call $total (local.get $sum)) (f32.const 384))))
      (local.set $sum (v128.const f32x4 0 0 0 0))
      (local.set $at (i32.const 0))
      (loop $four
        (local.set $v (f32x4.sub (v128.load (i32.add (local.get $x) (local.get $at))) (local.get $mean)))
        (local.set $sum (f32x4.add (local.get $sum) (f32x4.mul (local.get $v) (local.get $v))))
        (br_if $four (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (i32.const 1536))))
      (local.set $factor (f32x4.splat (f32.div (f32.const 1)
        (f32.sqrt (f32.add (f32.div (call $total (local.get $sum)) (f32.const 384)) (f32.const 1e-12))))))
      (local.set $at (i32.const 0))
      (loop $four
        (local.set $p (i32.add (local.get $x) (local.get $at)))
        (v128.store (local.get $p) (f32x4.add
          (f32x4.mul
            (f32x4.mul (f32x4.sub (v128.load (local.get $p)) (local.get $mean)) (local.get $factor))
            (v128.load (i32.add (local.get $gamma) (local.get $at))))
          (v128.load (i32.add (local.get $beta) (local.get $at)))))
        (br_if $four (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (i32.const 1536))))
      (local.set $x (i32.add (local.get $x) (i32.const 1536)))
      (local.set $y (i32.add (local.get $y) (i32.const 1536)))
      (br_if $eachRow (local.tee $rows (i32.sub (local.get $rows) (i32.const 1))))))

  ;; out = the sum of the rows, brought to length 1: the mean points the same way.
  (func (export "pool") (param $x i32) (param $rows i32) (param $out i32)
    (local $at i32) (local $p i32) (local $end i32) (local $v v128) (local $squares v128) (local $factor v128)
    (local.set $end (i32.add (local.get $x) (i32.mul (local.get $rows) (i32.const 1536))))
    (loop $four
      (local.set $v (v128.const f32x4 0 0 0 0))
      (local.set $p (i32.add (local.get $x) (local.get $at)))
      (loop $eachRow
        (local.set $v (f32x4.add (local.get $v) (v128.load (local.get $p))))
        (br_if $eachRow (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 1536))) (local.get $end))))
      (v128.store (i32.add (local.get $out) (local.get $at)) (local.get $v))
      (local.set $squares (f32x4.add (local.get $squares) (f32x4.mul (local.get $v) (local.get $v))))
      (br_if $four (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (i32.const 1536))))
    (local.set $factor (f32x4.splat (f32.div (f32.const 1) (f32.sqrt (call $total (local.get $squares))))))
    (local.set $at (i32.const 0))
    (loop $four
      (local.set $p (i32.add (local.get $out) (local.get $at)))
      (v128.store (local.get $p) (f32x4.mul (v128.load (local.get $p)) (local.get $factor)))
      (br_if $four (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (i32.const 1536))))))
