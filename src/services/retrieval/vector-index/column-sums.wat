;; Adds columns of 8-bit numbers, each times a 16-bit number, to sums of 32 bits: four columns at
;; once, so that sums are read and written a quarter as often.
;; Memory: sums in the first page, columns in the second, what they are multiplied by in the third.
;; column-sums.ts holds it in binary form; its test compares the two.
(module
  (memory (export "memory") 3)
  (func (export "add") (param $columns i32) (param $rows i32)
    (local $times i32) (local $first i32) (local $a i32) (local $b i32) (local $c i32)
    (local $sums i32) (local $end i32)
    (local $ab v128) (local $cd v128)
    (local $p v128) (local $q v128) (local $r v128) (local $s v128) (local $high v128)
    (local.set $times (i32.const 131072))
    (local.set $first (i32.const 65536))
    (loop $group
      (local.set $ab (v128.load32_splat (local.get $times)))
      (local.set $cd (v128.load32_splat offset=4 (local.get $times)))
      (local.set $a (local.get $first))
      (local.set $b (i32.add (local.get $a) (local.get $rows)))
      (local.set $c (i32.add (local.get $b) (local.get $rows)))
      (local.set $first (i32.add (local.get $c) (local.get $rows)))
      (local.set $end (local.get $b))
      (local.set $sums (i32.const 0))
      (loop $next
        (local.set $p (v128.load (local.get $a)))
        (local.set $q (v128.load (local.get $b)))
        (local.set $r (v128.load (local.get $c)))
        (local.set $s (v128.load (local.get $first)))
        ;; pairs of numbers of one row
        (local.set $high (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31
          (local.get $p) (local.get $q)))
        (local.set $p (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23
          (local.get $p) (local.get $q)))
        (local.set $q (local.get $high))
        (local.set $high (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31
          (local.get $r) (local.get $s)))
        (local.set $r (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23
          (local.get $r) (local.get $s)))
        (local.set $s (local.get $high))
        (v128.store (local.get $sums)
          (i32x4.add (v128.load (local.get $sums)) (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $p)) (local.get $ab))
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $r)) (local.get $cd)))))
        (v128.store offset=16 (local.get $sums)
          (i32x4.add (v128.load offset=16 (local.get $sums)) (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $p)) (local.get $ab))
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $r)) (local.get $cd)))))
        (v128.store offset=32 (local.get $sums)
          (i32x4.add (v128.load offset=32 (local.get $sums)) (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $q)) (local.get $ab))
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $s)) (local.get $cd)))))
        (v128.store offset=48 (local.get $sums)
          (i32x4.add (v128.load offset=48 (local.get $sums)) (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $q)) (local.get $ab))
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $s)) (local.get $cd)))))
        (local.set $sums (i32.add (local.get $sums) (i32.const 64)))
        (local.set $a (i32.add (local.get $a) (i32.const 16)))
        (local.set $b (i32.add (local.get $b) (i32.const 16)))
        (local.set $c (i32.add (local.get $c) (i32.const 16)))
        (local.set $first (i32.add (local.get $first) (i32.const 16)))
        (br_if $next (i32.lt_u (local.get $a) (local.get $end))))
      (local.set $times (i32.add (local.get $times) (i32.const 8)))
      (local.set $columns (i32.sub (local.get $columns) (i32.const 4)))
      (br_if $group (i32.gt_s (local.get $columns) (i32.const 0))))))
