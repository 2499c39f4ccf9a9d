;; Attention of one text: 12 heads of 32. A row of qkv is 3 * 384 floats: the queries (already divided by sqrt 32), keys and values.
;; Rows are done by four and keys by eight, so that rows after the text's last are read, and written as rubbish: whoever comes next
;; in the batch overwrites them, and after the last text there must be room for three.
(module
  (import "engine" "memory" (memory 1))

  ;; c[i][j] = sum over k of a[i][k] * b[k][j], for 4 i and 8 j. Strides are in bytes; b has none.
  (func $tile (param $a0 i32) (param $aStride i32) (param $b i32) (param $k i32) (param $c i32) (param $cStride i32)
    (local $a1 i32) (local $a2 i32) (local $a3 i32) (local $s v128) (local $left v128) (local $right v128)
    (local $l0 v128) (local $r0 v128) (local $l1 v128) (local $r1 v128) (local $l2 v128) (local $r2 v128) (local $l3 v128) (local $r3 v128)
    (local.set $a1 (i32.add (local.get $a0) (local.get $aStride)))
    (local.set $a2 (i32.add (local.get $a1) (local.get $aStride)))
    (local.set $a3 (i32.add (local.get $a2) (local.get $aStride)))
    (loop $eachK
      (local.set $left (v128.load (local.get $b)))
      (local.set $right (v128.load offset=16 (local.get $b)))
      (local.set $s (v128.load32_splat (local.get $a0)))
      (local.set $l0 (f32x4.add (local.get $l0) (f32x4.mul (local.get $s) (local.get $left))))
      (local.set $r0 (f32x4.add (local.get $r0) (f32x4.mul (local.get $s) (local.get $right))))
      (local.set $a0 (i32.add (local.get $a0) (i32.const 4)))
      (local.set $s (v128.load32_splat (local.get $a1)))
      (local.set $l1 (f32x4.add (local.get $l1) (f32x4.mul (local.get $s) (local.get $left))))
      (local.set $r1 (f32x4.add (local.get $r1) (f32x4.mul (local.get $s) (local.get $right))))
      (local.set $a1 (i32.add (local.get $a1) (i32.const 4)))
      (local.set $s (v128.load32_splat (local.get $a2)))
      (local.set $l2 (f32x4.add (local.get $l2) (f32x4.mul (local.get $s) (local.get $left))))
      (local.set $r2 (f32x4.add (local.get $r2) (f32x4.mul (local.get $s) (local.get $right))))
      (local.set $a2 (i32.add (local.get $a2) (i32.const 4)))
      (local.set $s (v128.load32_splat (local.get $a3)))
      (local.set $l3 (f32x4.add (local.get $l3) (f32x4.mul (local.get $s) (local.get $left))))
      (local.set $r3 (f32x4.add (local.get $r3) (f32x4.mul (local.get $s) (local.get $right))))
      (local.set $a3 (i32.add (local.get $a3) (i32.const 4)))
      (local.set $b (i32.add (local.get $b) (i32.const 32)))
      (br_if $eachK (local.tee $k (i32.sub (local.get $k) (i32.const 1)))))
    (v128.store (local.get $c) (local.get $l0))
    (v128.store offset=16 (local.get $c) (local.get $r0))
    (local.set $c (i32.add (local.get $c) (local.get $cStride)))
    (v128.store (local.get $c) (local.get $l1))
    (v128.store offset=16 (local.get $c) (local.get $r1))
    (local.set $c (i32.add (local.get $c) (local.get $cStride)))
    (v128.store (local.get $c) (local.get $l2))
    (v128.store offset=16 (local.get $c) (local.get $r2))
    (local.set $c (i32.add (local.get $c) (local.get $cStride)))
    (v128.store (local.get $c) (local.get $l3))
    (v128.store offset=16 (local.get $c) (local.get $r3)))

  ;; Copies the keys of a head turned over: tiles of eight keys, in which each of the 32 dimensions has its eight numbers.
  (func $turnKeys (param $keys i32) (param $rows i32) (param $out i32)
    (local $d i32) (local $p i32) (local $to i32) (local $row i32)
    (local $k0 v128) (local $k1 v128) (local $k2 v128) (local $k3 v128) (local $t0 v128) (local $t1 v128)
    (loop $fourRows
      ;; The second four of a tile stand beside the first.
      (local.set $to (i32.add (local.get $out)
        (i32.add
          (i32.shl (i32.and (local.get $row) (i32.const -8)) (i32.const 7))
          (i32.shl (i32.and (local.get $row) (i32.const 4)) (i32.const 2)))))
      (local.set $d (i32.const 0))
      (loop $fourDims
        (local.set $p (i32.add (local.get $keys) (local.get $d)))
        (local.set $k0 (v128.load offset=0 (local.get $p)))
        (local.set $k1 (v128.load offset=4608 (local.get $p)))
        (local.set $k2 (v128.load offset=9216 (local.get $p)))
        (local.set $k3 (v128.load offset=13824 (local.get $p)))
        (local.set $t0 (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $k0) (local.get $k1)))
        (local.set $t1 (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $k2) (local.get $k3)))
        (v128.store offset=0 (local.get $to) (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $t0) (local.get $t1)))
        (v128.store offset=32 (local.get $to) (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $t0) (local.get $t1)))
        (local.set $t0 (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $k0) (local.get $k1)))
        (local.set $t1 (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $k2) (local.get $k3)))
        (v128.store offset=64 (local.get $to) (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $t0) (local.get $t1)))
        (v128.store offset=96 (local.get $to) (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $t0) (local.get $t1)))
        (local.set $to (i32.add (local.get $to) (i32.const 128)))
        (br_if $fourDims (i32.lt_u (local.tee $d (i32.add (local.get $d) (i32.const 16))) (i32.const 128))))
      (local.set $keys (i32.add (local.get $keys) (i32.const 18432)))
      (br_if $fourRows (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 4))) (local.get $rows)))))

  ;; Copies the values of a head: four tiles of eight dimensions, in which each row has its eight numbers.
  (func $gatherValues (param $values i32) (param $rows i32) (param $out i32)
    (local $d i32) (local $row i32) (local $p i32)
    (loop $eightDims
      (local.set $p (i32.add (local.get $values) (local.get $d)))
      (local.set $row (i32.const 0))
      (loop $eachRow
        (v128.store (local.get $out) (v128.load (local.get $p)))
        (v128.store offset=16 (local.get $out) (v128.load offset=16 (local.get $p)))
        (local.set $p (i32.add (local.get $p) (i32.const 4608)))
        (local.set $out (i32.add (local.get $out) (i32.const 32)))
        (br_if $eachRow (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 1))) (local.get $rows))))
      (br_if $eightDims (i32.lt_u (local.tee $d (i32.add (local.get $d) (i32.const 32))) (i32.const 128)))))

  ;; x becomes e to the power of x - most, for floats from x to end; gives back their sum, in four parts. Less than -87 is taken as -87.
  ;; Cephes' polynomial (expf.c), right to 2e-7 of the result. Constants are set before the loop, since V8 would make them anew.
  (func $exp (param $x i32) (param $end i32) (param $most v128) (result v128)
    (local $v v128) (local $t v128) (local $n v128) (local $p v128) (local $sum v128)
    (local $least v128) (local $log v128) (local $round v128) (local $high v128) (local $low v128) (local $one v128) (local $exponent v128)
    (local $e0 v128) (local $e1 v128) (local $e2 v128) (local $e3 v128) (local $e4 v128) (local $e5 v128)
    (local.set $least (f32x4.splat (f32.const -87)))
    (local.set $log (f32x4.splat (f32.const 1.44269504)))
    ;; Adding 1.5 * 2^23 rounds to a whole number, and leaves it in the low bits: shifted, they are the exponent.
    (local.set $round (f32x4.splat (f32.const 12582912)))
    (local.set $high (f32x4.splat (f32.const 0.693359375)))
    (local.set $low (f32x4.splat (f32.const -2.12194440e-4)))
    (local.set $one (f32x4.splat (f32.const 1)))
    (local.set $exponent (i32x4.splat (i32.const 0x3f800000)))
    (local.set $e0 (f32x4.splat (f32.const 1.9875691500e-4)))
    (local.set $e1 (f32x4.splat (f32.const 1.3981999507e-3)))
    (local.set $e2 (f32x4.splat (f32.const 8.3334519073e-3)))
    (local.set $e3 (f32x4.splat (f32.const 4.1665795894e-2)))
    (local.set $e4 (f32x4.splat (f32.const 1.6666665459e-1)))
    (local.set $e5 (f32x4.splat (f32.const 5.0000001201e-1)))
    (loop $four
      (local.set $v (f32x4.pmax (local.get $least) (f32x4.sub (v128.load (local.get $x)) (local.get $most))))
      (local.set $t (f32x4.add (f32x4.mul (local.get $v) (local.get $log)) (local.get $round)))
      (local.set $n (f32x4.sub (local.get $t) (local.get $round)))
      (local.set $v (f32x4.sub
        (f32x4.sub (local.get $v) (f32x4.mul (local.get $n) (local.get $high)))
        (f32x4.mul (local.get $n) (local.get $low))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $e0) (local.get $v)) (local.get $e1)))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $v)) (local.get $e2)))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $v)) (local.get $e3)))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $v)) (local.get $e4)))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $v)) (local.get $e5)))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $v)) (local.get $one)))
      (local.set $p (f32x4.mul
        (f32x4.add (f32x4.mul (local.get $p) (local.get $v)) (local.get $one))
        (i32x4.add (i32x4.shl (local.get $t) (i32.const 23)) (local.get $exponent))))
      (v128.store (local.get $x) (local.get $p))
      (local.set $sum (f32x4.add (local.get $sum) (local.get $p)))
      (br_if $four (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end))))
    (local.get $sum))

  ;; One row of scores becomes its softmax. Up to three floats after the last are overwritten.
  (func $softmax (export "softmax") (param $x i32) (param $count i32)
    (local $p i32) (local $end i32) (local $most v128) (local $sum v128)
    (local.set $p (i32.add (local.get $x) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $end (i32.add (local.get $x) (i32.and (i32.add (i32.shl (local.get $count) (i32.const 2)) (i32.const 15)) (i32.const -16))))
    (block $full
      (loop $pad
        (br_if $full (i32.ge_u (local.get $p) (local.get $end)))
        (f32.store (local.get $p) (f32.const -inf))
        (local.set $p (i32.add (local.get $p) (i32.const 4)))
        (br $pad)))
    (local.set $most (f32x4.splat (f32.const -inf)))
    (local.set $p (local.get $x))
    (loop $four
      (local.set $most (f32x4.pmax (local.get $most) (v128.load (local.get $p))))
      (br_if $four (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
    (local.set $most (f32x4.splat (f32.max
      (f32.max (f32x4.extract_lane 0 (local.get $most)) (f32x4.extract_lane 1 (local.get $most)))
      (f32.max (f32x4.extract_lane 2 (local.get $most)) (f32x4.extract_lane 3 (local.get $most))))))
    (local.set $sum (call $exp (local.get $x) (local.get $end) (local.get $most)))
    (local.set $sum (f32x4.splat (f32.div (f32.const 1) (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $sum)) (f32x4.extract_lane 1 (local.get $sum)))
      (f32.add (f32x4.extract_lane 2 (local.get $sum)) (f32x4.extract_lane 3 (local.get $sum)))))))
    (loop $four
      (v128.store (local.get $x) (f32x4.mul (v128.load (local.get $x)) (local.get $sum)))
      (br_if $four (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end)))))

  ;; scratch takes the keys and the values of a head in tiles, since rows of qkv are 4608 bytes apart and would fall on the same few
  ;; lines of the cache, and then the scores of the four rows at hand: (32 + 32 + 4) * 4 bytes for each row, rounded up to eight rows.
  (func (export "attend") (param $qkv i32) (param $rows i32) (param $out i32) (param $scratch i32)
    (local $head i32) (local $row i32) (local $j i32) (local $stride i32)
    (local $values i32) (local $scores i32) (local $q i32) (local $to i32)
    (local.set $stride (i32.shl (i32.and (i32.add (local.get $rows) (i32.const 7)) (i32.const -8)) (i32.const 2)))
    (local.set $values (i32.add (local.get $scratch) (i32.shl (local.get $stride) (i32.const 5))))
    (local.set $scores (i32.add (local.get $values) (i32.shl (local.get $stride) (i32.const 5))))
    (loop $eachHead
      (call $turnKeys (i32.add (local.get $qkv) (i32.const 1536)) (local.get $rows) (local.get $scratch))
      (call $gatherValues (i32.add (local.get $qkv) (i32.const 3072)) (local.get $rows) (local.get $values))
      (local.set $row (i32.const 0))
      (local.set $q (local.get $qkv))
      (local.set $to (local.get $out))
      (loop $fourRows
        (local.set $j (i32.const 0))
        (loop $eightKeys
          (call $tile (local.get $q) (i32.const 4608) (i32.add (local.get $scratch) (i32.shl (local.get $j) (i32.const 5)))
            (i32.const 32) (i32.add (local.get $scores) (local.get $j)) (local.get $stride))
          (br_if $eightKeys (i32.lt_u (local.tee $j (i32.add (local.get $j) (i32.const 32))) (local.get $stride))))
        (call $softmax (local.get $scores) (local.get $rows))
        (call $softmax (i32.add (local.get $scores) (local.get $stride)) (local.get $rows))
        (call $softmax (i32.add (local.get $scores) (i32.shl (local.get $stride) (i32.const 1))) (local.get $rows))
        (call $softmax (i32.add (local.get $scores) (i32.mul (local.get $stride) (i32.const 3))) (local.get $rows))
        (local.set $j (i32.const 0))
        (loop $eightDims
          (call $tile (local.get $scores) (local.get $stride) (i32.add (local.get $values) (i32.mul (local.get $j) (local.get $rows)))
            (local.get $rows) (i32.add (local.get $to) (local.get $j)) (i32.const 1536))
          (br_if $eightDims (i32.lt_u (local.tee $j (i32.add (local.get $j) (i32.const 32))) (i32.const 128))))
        (local.set $q (i32.add (local.get $q) (i32.const 18432)))
        (local.set $to (i32.add (local.get $to) (i32.const 6144)))
        (br_if $fourRows (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 4))) (local.get $rows))))
      (local.set $qkv (i32.add (local.get $qkv) (i32.const 128)))
      (local.set $out (i32.add (local.get $out) (i32.const 128)))
      (br_if $eachHead (i32.lt_u (local.tee $head (i32.add (local.get $head) (i32.const 1))) (i32.const 12))))))
