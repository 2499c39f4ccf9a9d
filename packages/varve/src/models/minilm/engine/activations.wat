;; Activations: GELU, and their rounding to 7 bits for the multiplication.
(module
  (import "engine" "memory" (memory 1))

  ;; x = x / 2 * (1 + erf(x / sqrt 2)) for floats from x to end. erf as a quotient of polynomials, right to some 3e-7, beyond 4 as
  ;; at 4: the coefficients are those of Eigen (generic_fast_erf_float). Constants are set before the loop, since V8 would make
  ;; them anew in each turn.
  (func (export "gelu") (param $x i32) (param $end i32)
    (local $v v128) (local $t v128) (local $s v128) (local $p v128) (local $q v128)
    (local $p0 v128) (local $p1 v128) (local $p2 v128) (local $p3 v128) (local $p4 v128) (local $p5 v128) (local $p6 v128)
    (local $q0 v128) (local $q1 v128) (local $q2 v128) (local $q3 v128) (local $q4 v128)
    (local $four v128) (local $minusFour v128) (local $one v128) (local $half v128) (local $root v128)
    (local.set $p0 (f32x4.splat (f32.const -2.72614225801306e-10)))
    (local.set $p1 (f32x4.splat (f32.const 2.77068142495902e-08)))
    (local.set $p2 (f32x4.splat (f32.const -2.10102402082508e-06)))
    (local.set $p3 (f32x4.splat (f32.const -5.69250639462346e-05)))
    (local.set $p4 (f32x4.splat (f32.const -7.34990630326855e-04)))
    (local.set $p5 (f32x4.splat (f32.const -2.95459980854025e-03)))
    (local.set $p6 (f32x4.splat (f32.const -1.60960333262415e-02)))
    (local.set $q0 (f32x4.splat (f32.const -1.45660718464996e-05)))
    (local.set $q1 (f32x4.splat (f32.const -2.13374055278905e-04)))
    (local.set $q2 (f32x4.splat (f32.const -1.68282697438203e-03)))
    (local.set $q3 (f32x4.splat (f32.const -7.37332916720468e-03)))
    (local.set $q4 (f32x4.splat (f32.const -1.42647390514189e-02)))
    (local.set $four (f32x4.splat (f32.const 4)))
    (local.set $minusFour (f32x4.splat (f32.const -4)))
    (local.set $one (f32x4.splat (f32.const 1)))
    (local.set $half (f32x4.splat (f32.const 0.5)))
    (local.set $root (f32x4.splat (f32.const 0.70710678)))
    (loop $eachFour
      (local.set $v (v128.load (local.get $x)))
      (local.set $t (f32x4.pmax (local.get $minusFour) (f32x4.pmin (local.get $four) (f32x4.mul (local.get $v) (local.get $root)))))
      (local.set $s (f32x4.mul (local.get $t) (local.get $t)))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p0) (local.get $s)) (local.get $p1)))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (local.get $p2)))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (local.get $p3)))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (local.get $p4)))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (local.get $p5)))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (local.get $p6)))
      (local.set $q (f32x4.add (f32x4.mul (local.get $q0) (local.get $s)) (local.get $q1)))
      (local.set $q (f32x4.add (f32x4.mul (local.get $q) (local.get $s)) (local.get $q2)))
      (local.set $q (f32x4.add (f32x4.mul (local.get $q) (local.get $s)) (local.get $q3)))
      (local.set $q (f32x4.add (f32x4.mul (local.get $q) (local.get $s)) (local.get $q4)))
      (v128.store (local.get $x) (f32x4.mul
        (f32x4.mul (local.get $v) (local.get $half))
        (f32x4.add (local.get $one) (f32x4.div (f32x4.mul (local.get $t) (local.get $p)) (local.get $q)))))
      (br_if $eachFour (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end)))))

  ;; The four lanes of v rounded and moved by zero. Adding 1.5 * 2^23 leaves the rounded number in the low bits.
  (func $rounded (param $v v128) (param $inverse v128) (param $zero v128) (result v128)
    (i32x4.sub
      (f32x4.add (f32x4.mul (local.get $v) (local.get $inverse)) (local.get $zero))
      (v128.const i32x4 0x4b400000 0x4b400000 0x4b400000 0x4b400000)))

  ;; The 64 floats at x become q in 0 to 127 with x = s * (q - z): four at a time, 16 bytes apart from q on; s and the whole number z
  ;; at scale.
  (func $quantiseBlock (param $x i32) (param $q i32) (param $scale i32)
    (local $p i32) (local $end i32) (local $low v128) (local $high v128) (local $v v128)
    (local $least f32) (local $s f32) (local $inverse f32) (local $zero f32) (local $i v128) (local $z v128)
    ;; 0 is always within the range, and the range is never empty.
    (local.set $low (v128.const f32x4 0 0 0 0))
    (local.set $high (v128.const f32x4 1e-9 1e-9 1e-9 1e-9))
    (local.set $p (local.get $x))
    (local.set $end (i32.add (local.get $x) (i32.const 256)))
    (loop $four
      (local.set $v (v128.load (local.get $p)))
      (local.set $low (f32x4.pmin (local.get $low) (local.get $v)))
      (local.set $high (f32x4.pmax (local.get $high) (local.get $v)))
      (br_if $four (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
    (local.set $least (f32.min
      (f32.min (f32x4.extract_lane 0 (local.get $low)) (f32x4.extract_lane 1 (local.get $low)))
      (f32.min (f32x4.extract_lane 2 (local.get $low)) (f32x4.extract_lane 3 (local.get $low)))))
    (local.set $s (f32.div
      (f32.sub
        (f32.max
          (f32.max (f32x4.extract_lane 0 (local.get $high)) (f32x4.extract_lane 1 (local.get $high)))
          (f32.max (f32x4.extract_lane 2 (local.get $high)) (f32x4.extract_lane 3 (local.get $high))))
        (local.get $least))
      (f32.const 127)))
    (local.set $inverse (f32.div (f32.const 1) (local.get $s)))
    (local.set $zero (f32.nearest (f32.neg (f32.mul (local.get $least) (local.get $inverse)))))
    (f32.store (local.get $scale) (local.get $s))
    (i32.store offset=4 (local.get $scale) (i32.trunc_f32_s (local.get $zero)))
    (local.set $i (f32x4.splat (local.get $inverse)))
    (local.set $z (f32x4.splat (f32.add (local.get $zero) (f32.const 12582912))))
    (loop $sixteen
      ;; Both ends may round to one beyond: hence the least of it and 127, and narrowing that stops at 0.
      (local.set $v (i8x16.min_u (v128.const i32x4 0x7f7f7f7f 0x7f7f7f7f 0x7f7f7f7f 0x7f7f7f7f)
        (i8x16.narrow_i16x8_u
          (i16x8.narrow_i32x4_s
            (call $rounded (v128.load (local.get $x)) (local.get $i) (local.get $z))
            (call $rounded (v128.load offset=16 (local.get $x)) (local.get $i) (local.get $z)))
          (i16x8.narrow_i32x4_s
            (call $rounded (v128.load offset=32 (local.get $x)) (local.get $i) (local.get $z))
            (call $rounded (v128.load offset=48 (local.get $x)) (local.get $i) (local.get $z))))))
      (v128.store32_lane 0 (local.get $q) (local.get $v))
      (v128.store32_lane offset=16 1 (local.get $q) (local.get $v))
      (v128.store32_lane offset=32 2 (local.get $q) (local.get $v))
      (v128.store32_lane offset=48 3 (local.get $q) (local.get $v))
      (local.set $q (i32.add (local.get $q) (i32.const 64)))
      (br_if $sixteen (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 64))) (local.get $end)))))

  ;; Rounds rows of blocks of 64 floats. Four rows are interleaved, as the multiplication reads them: their first four q each, and so on;
  ;; their first s and z each, and so on.
  (func (export "quantise") (param $x i32) (param $rows i32) (param $blocks i32) (param $q i32) (param $scales i32)
    (local $row i32) (local $block i32)
    (loop $eachRow
      (local.set $block (i32.const 0))
      (loop $eachBlock
        (call $quantiseBlock (local.get $x) (local.get $q) (local.get $scales))
        (local.set $x (i32.add (local.get $x) (i32.const 256)))
        (local.set $q (i32.add (local.get $q) (i32.const 256)))
        (local.set $scales (i32.add (local.get $scales) (i32.const 32)))
        (br_if $eachBlock (i32.lt_u (local.tee $block (i32.add (local.get $block) (i32.const 1))) (local.get $blocks))))
      (local.set $row (i32.add (local.get $row) (i32.const 1)))
      ;; Beside the row that is done, or, after four, where the next four begin.
      (if (i32.and (local.get $row) (i32.const 3))
        (then
          (local.set $q (i32.add (i32.sub (local.get $q) (i32.shl (local.get $blocks) (i32.const 8))) (i32.const 4)))
          (local.set $scales (i32.add (i32.sub (local.get $scales) (i32.shl (local.get $blocks) (i32.const 5))) (i32.const 8))))
        (else
          (local.set $q (i32.sub (local.get $q) (i32.const 12)))
          (local.set $scales (i32.sub (local.get $scales) (i32.const 24)))))
      (br_if $eachRow (i32.lt_u (local.get $row) (local.get $rows))))))
