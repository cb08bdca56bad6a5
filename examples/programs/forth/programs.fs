( sums of primes, collatz, fibonacci, greatest divisors, a sieve )
variable flags 999 allot
: clear 1000 0 do 1 flags i + ! loop ;
: strike ( n -- ) dup dup * begin dup 1000 < while 0 over flags + ! over + repeat drop drop ;
: sieve clear 32 2 do flags i + @ if i strike then loop ;
: count-primes 0 1000 2 do flags i + @ + loop ;
sieve count-primes . cr
: fib dup 2 < if exit then dup 1 - fib swap 2 - fib + ;
15 fib . cr
: gcd begin dup while swap over mod repeat drop ;
: coprime 0 40 1 do 40 1 do i j gcd 1 = - loop loop ;
coprime . cr
: step dup 1 and if 3 * 1 + else 2 / then ;
: length 0 swap begin dup 1 = 0 = while step swap 1 + swap repeat drop ;
variable best
: longest 120 1 do i length dup best @ swap < if dup best ! then drop loop best @ ;
longest . cr
variable seed
: random seed @ dup 13 shift xor dup -17 shift xor dup 5 shift xor dup seed ! ;
1463534242 seed !
: toss 0 300 0 do random 255 and + loop ;
toss . cr
