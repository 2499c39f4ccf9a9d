;; out[r][c] = bias[c] + scale[c] * sum over blocks b of s[r][b] * sum over the 64 k of the block of (q[r][k] - z[r][b]) * w[k][c]
;;
;; q, s and z are as quantise (activations.wat) leaves them, weights and sums as packWeights (pack-weights.ts): sums[c][b] is minus the sum
;; of the block's weights, so that the inner sum is q * w + z * sums. Rows are done by four: out needs room for three more.
;;
;; q is 0 to 127, w signed 8-bit. relaxed_dot adds two products in 16 bits, and two of those are added in 16 bits before they
;; widen: no two neighbouring weights sum to more than 128, so nothing saturates or wraps, and any processor gives the same integers.
;; i32x4.relaxed_dot_i8x16_i7x16_add_s would widen at once, which took twice the time on x64 without VNNI.
;;
;; A panel is four channels: 16 bytes of weights are four k of each. Its 1.5 or 6 KB stay in the first-level cache while all rows pass.
(module
  (import "engine" "memory" (memory 1))
  (func (export "multiply")
    (param $qs i32) (param $rowScales i32) (param $rows i32) (param $blocks i32)
    (param $weights i32) (param $sums i32) (param $scales i32) (param $biases i32) (param $channels i32) (param $out i32)
    (local $q i32) (local $s i32) (local $w i32) (local $sum i32) (local $end i32)
    (local $row i32) (local $block i32) (local $rowOut i32) (local $stride i32) (local $last i32)
    (local $w0 v128) (local $w1 v128) (local $ones v128) (local $minus v128) (local $scale v128) (local $bias v128)
    (local $c0 v128) (local $c1 v128) (local $c2 v128) (local $c3 v128)
    (local $f0 v128) (local $f1 v128) (local $f2 v128) (local $f3 v128)
    (local.set $ones (v128.const i16x8 1 1 1 1 1 1 1 1))
    (local.set $stride (i32.shl (local.get $channels) (i32.const 2)))
    (local.set $last (i32.add (local.get $scales) (local.get $stride)))
    (loop $eachPanel
      (local.set $scale (v128.load (local.get $scales)))
      (local.set $bias (v128.load (local.get $biases)))
      (local.set $q (local.get $qs))
      (local.set $s (local.get $rowScales))
      (local.set $rowOut (local.get $out))
      (local.set $row (i32.const 0))
      (loop $fourRows
        (local.set $w (local.get $weights))
        (local.set $sum (local.get $sums))
        (local.set $f0 (v128.const f32x4 0 0 0 0))
        (local.set $f1 (v128.const f32x4 0 0 0 0))
        (local.set $f2 (v128.const f32x4 0 0 0 0))
        (local.set $f3 (v128.const f32x4 0 0 0 0))
        (local.set $block (i32.const 0))
        (loop $eachBlock
          (local.set $minus (v128.load (local.get $sum)))
          (local.set $c0 (i32x4.mul (local.get $minus) (v128.load32_splat offset=4 (local.get $s))))
          (local.set $c1 (i32x4.mul (local.get $minus) (v128.load32_splat offset=12 (local.get $s))))
          (local.set $c2 (i32x4.mul (local.get $minus) (v128.load32_splat offset=20 (local.get $s))))
          (local.set $c3 (i32x4.mul (local.get $minus) (v128.load32_splat offset=28 (local.get $s))))
          (local.set $end (i32.add (local.get $q) (i32.const 256)))
          (loop $steps
            (local.set $w0 (v128.load offset=0 (local.get $w)))
            (local.set $w1 (v128.load offset=16 (local.get $w)))
            (local.set $c0 (i32x4.add (local.get $c0) (i32x4.dot_i16x8_s (local.get $ones) (i16x8.add
              (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w0) (v128.load32_splat offset=0 (local.get $q)))
              (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w1) (v128.load32_splat offset=16 (local.get $q)))))))
            (local.set $c1 (i32x4.add (local.get $c1) (i32x4.dot_i16x8_s (local.get $ones) (i16x8.add
              (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w0) (v128.load32_splat offset=4 (local.get $q)))
              (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w1) (v128.load32_splat offset=20 (local.get $q)))))))
            (local.set $c2 (i32x4.add (local.get $c2) (i32x4.dot_i16x8_s (local.get $ones) (i16x8.add
              (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w0) (v128.load32_splat offset=8 (local.get $q)))
              (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w1) (v128.load32_splat offset=24 (local.get $q)))))))
            (local.set $c3 (i32x4.add (local.get $c3) (i32x4.dot_i16x8_s (local.get $ones) (i16x8.add
              (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w0) (v128.load32_splat offset=12 (local.get $q)))
              (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w1) (v128.load32_splat offset=28 (local.get $q)))))))
            (local.set $w0 (v128.load offset=32 (local.get $w)))
            (local.set $w1 (v128.load offset=48 (local.get $w)))
            (local.set $c0 (i32x4.add (local.get $c0) (i32x4.dot_i16x8_s (local.get $ones) (i16x8.add
              (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w0) (v128.load32_splat offset=32 (local.get $q)))
              (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w1) (v128.load32_splat offset=48 (local.get $q)))))))
            (local.set $c1 (i32x4.add (local.get $c1) (i32x4.dot_i16x8_s (local.get $ones) (i16x8.add
              (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w0) (v128.load32_splat offset=36 (local.get $q)))
              (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w1) (v128.load32_splat offset=52 (local.get $q)))))))
            (local.set $c2 (i32x4.add (local.get $c2) (i32x4.dot_i16x8_s (local.get $ones) (i16x8.add
              (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w0) (v128.load32_splat offset=40 (local.get $q)))
              (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w1) (v128.load32_splat offset=56 (local.get $q)))))))
            (local.set $c3 (i32x4.add (local.get $c3) (i32x4.dot_i16x8_s (local.get $ones) (i16x8.add
              (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w0) (v128.load32_splat offset=44 (local.get $q)))
              (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w1) (v128.load32_splat offset=60 (local.get $q)))))))
            (local.set $w (i32.add (local.get $w) (i32.const 64)))
            (br_if $steps (i32.lt_u (local.tee $q (i32.add (local.get $q) (i32.const 64))) (local.get $end))))
          (local.set $f0 (f32x4.add (local.get $f0) (f32x4.mul (v128.load32_splat offset=0 (local.get $s)) (f32x4.convert_i32x4_s
            (local.get $c0)))))
          (local.set $f1 (f32x4.add (local.get $f1) (f32x4.mul (v128.load32_splat offset=8 (local.get $s)) (f32x4.convert_i32x4_s
            (local.get $c1)))))
          (local.set $f2 (f32x4.add (local.get $f2) (f32x4.mul (v128.load32_splat offset=16 (local.get $s)) (f32x4.convert_i32x4_s
            (local.get $c2)))))
          (local.set $f3 (f32x4.add (local.get $f3) (f32x4.mul (v128.load32_splat offset=24 (local.get $s)) (f32x4.convert_i32x4_s
            (local.get $c3)))))
          (local.set $s (i32.add (local.get $s) (i32.const 32)))
          (local.set $sum (i32.add (local.get $sum) (i32.const 16)))
          (br_if $eachBlock (i32.lt_u (local.tee $block (i32.add (local.get $block) (i32.const 1))) (local.get $blocks))))
        (v128.store (local.get $rowOut)
          (f32x4.add (f32x4.mul (local.get $f0) (local.get $scale)) (local.get $bias)))
        (v128.store (i32.add (local.get $rowOut) (local.get $stride))
          (f32x4.add (f32x4.mul (local.get $f1) (local.get $scale)) (local.get $bias)))
        (v128.store (i32.add (local.get $rowOut) (i32.shl (local.get $stride) (i32.const 1)))
          (f32x4.add (f32x4.mul (local.get $f2) (local.get $scale)) (local.get $bias)))
        (v128.store (i32.add (local.get $rowOut) (i32.mul (local.get $stride) (i32.const 3)))
          (f32x4.add (f32x4.mul (local.get $f3) (local.get $scale)) (local.get $bias)))
        (local.set $rowOut (i32.add (local.get $rowOut) (i32.shl (local.get $stride) (i32.const 2))))
        (br_if $fourRows (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 4))) (local.get $rows))))
      (local.set $weights (local.get $w))
      (local.set $sums (local.get $sum))
      (local.set $biases (i32.add (local.get $biases) (i32.const 16)))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (br_if $eachPanel (i32.lt_u (local.tee $scales (i32.add (local.get $scales) (i32.const 16))) (local.get $last))))))
