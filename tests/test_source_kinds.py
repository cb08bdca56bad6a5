"""Every kind of C code counts as gcov counts it, or is refused by name and line."""

import re
from pathlib import Path

import pytest
from counted_programs import lines_of, plain

from cyclescope.sources.host_run import count
from cyclescope.sources.instrumented import SourceUnit
from cyclescope.sources.syntax import SourceError

KINDS: dict[str, str | bytes] = {
    "statement expressions": """
int main(void){
int s=0;
for(int i=0;i<3;i++) s+=({int q=i; q*2;});
return s;
}
""",
    "own varargs": """
#include <stdarg.h>
int sum(int n,...){
va_list a;
va_start(a,n);
int s=0;
while(n--) s+=va_arg(a,int);
va_end(a);
return s;
}
int main(void){
return sum(3,1,2,3);
}
""",
    "variable length arrays": """
int f(int n){
int a[n];
for(int i=0;i<n;i++) a[i]=i;
return a[n-1]+sizeof a;
}
int main(void){
return f(4);
}
""",
    "bit-fields": """
struct b{
unsigned a:3,b:5;
signed c:4;
}
;
int main(void){
struct b x={
1,2,-1}
;
x.a++;
x.b*=3;
x.c/=2;
return x.a+x.b+x.c;
}
""",
    "generic selections": """
#define T(x) _Generic((x),int:1,double:2,default:3)
int main(void){
return T(1)+T(1.0);
}
""",
    "complex numbers": """
#include <complex.h>
int main(void){
double complex z=1+2*I;
z=z*z;
return (int)cabs(z)+ (int)__real__ z;
}
""",
    "signals": """
#include <signal.h>
#include <stdlib.h>
int n;
void h(int s){
n++;
}
int main(void){
signal(SIGINT,h);
raise(SIGINT);
return n;
}
""",
    "old definitions": """
int add(a,b) int a;
int b;
{
return a+b;
}
int main(){
return add(1,2);
}
""",
    "Latin 1": """
int main(void){
const char *s="été";
int n=0; /* ü */
while(*s++) n++;
return n;
}
""".encode("latin-1"),
    "line ends of DOS": b"""
int f(int a)
{
  if (a) \\
   return 1;
  return 2;
}
int main(void)
{
  return f(0);
}
""".replace(b"\n", b"\r\n"),
    "a byte order mark": b"\xef\xbb\xbfint main(void){return 3;}",
    "packed and unaligned": """
struct __attribute__((packed)) p{
char c;
int i;
}
;
int main(void){
struct p x={
1,2}
;
int*q=&x.i;
*q=5;
return x.i;
}
""",
    "wide characters": """
#include <wchar.h>
int main(void){
wchar_t w[]=L"ab";
return (int)wcslen(w)+sizeof w;
}
""",
    "files and binary output": """
#include <stdio.h>
int main(void){
FILE*f=fopen("o.bin","wb");
for(int i=0;i<256;i++) putc(i,f);
fclose(f);
for(int i=0;i<256;i++) putchar(i);
return 0;
}
""",
    "computed goto": """
int computed(void){
static void*t[]={
&&a,&&b}
;
int n=0;
goto *t[0];
a: n++;
goto *t[1];
b: return n;
}
int main(void){
return computed();
}
""",
    "mutual recursion": """
int o(int);
int e(int n){
return n?o(n-1):1;
}
int o(int n){
return n?e(n-1):0;
}
int main(void){
return e(10);
}
""",
    "ranges of cases": """
int main(void){
int s=0;
for(int i=0;i<9;i++) switch(i){
case 1 ... 3: s++;
break;
default: s+=2;
}
return s;
}
""",
    "designated initialisers": """
int main(void){
int a[4]={
[1]=2,[2 ... 3]=7}
;
return a[3];
}
""",
    "conditions without a middle": """
int z(void){
return 0;
}
int main(void){
return z()?:5;
}
""",
    "atomics": """
#include <stdatomic.h>
int main(void){
_Atomic int a=0;
a++;
atomic_fetch_add(&a,2);
return a;
}
""",
    "vectors": """
typedef int v4 __attribute__((vector_size(16)));
int main(void){
v4 a={
1,2,3,4}
;
a=a*a;
return a[3];
}
""",
    "thread locals": """
__thread int t;
int main(void){
t++;
return t;
}
""",
    "constructors": """
int n;
__attribute__((constructor)) void c(void){
n=3;
}
int main(void){
return n;
}
""",
    "alloca": """
#include <alloca.h>
int main(void){
char*p=alloca(10);
p[0]=1;
return p[0];
}
""",
    "typeof": """
int main(void){
int a=1;
typeof(a) b=2;
__auto_type c=a+b;
return c;
}
""",
    "structures returned": """
struct s{
int a[9];
}
;
struct s f(int x){
struct s r={
{
x}
}
;
return r;
}
int main(void){
return f(3).a[0]+f(4).a[0];
}
""",
    "declarations in blocks": """
int main(void){
extern int g;
return g;
}
int g=4;
""",
    "implicit int": """
main(){
return 2;
}
""",
    "weak functions": """
__attribute__((weak)) int w(void){
return 1;
}
int main(void){
return w();
}
""",
    "always inline": """
static inline __attribute__((always_inline)) int f(int a){
return a+1;
}
int main(void){
return f(1);
}
""",
    "const functions": """
__attribute__((const)) int f(int a){
return a+1;
}
int main(void){
int s=0;
for(int i=0;i<3;i++)s+=f(2);
return s;
}
""",
    "no return": """
#include <stdlib.h>
_Noreturn void die(int x){
exit(x);
}
int f(int a){
if(a)die(a);
return 0;
}
int main(void){
f(0);
f(3);
}
""",
    "unions": """
int main(void){
union{
float f;
int i;
}
u={
1.0f}
;
return u.i>>23;
}
""",
    "braces in strings": """
int main(void){
const char*s="a;b}" "c";
char c='}';
return s[1]==';'&&c=='}';
}
""",
    "commas in headers": """
int main(void){
int i,j;
for(i=0,j=9;i<j;i++,j--);
return i;
}
""",
    "jumps into loops": """
int main(void){
int n=5,s=0;
switch(n){
int k;
case 5: k=1;
do {
s+=k;
case 4: s++;
}
while(--n>0);
}
return s;
}
""",
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_code_count_as_gcov_counts_them(kind: str, tmp_path: Path) -> None:
    text = KINDS[kind]
    file = tmp_path / "main.c"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    for name in ("plain", "counted"):
        (tmp_path / name).mkdir()
    truth = plain([file], tmp_path / "plain")
    ours = count([SourceUnit(file)], folder=tmp_path / "counted")
    assert (ours.run.status, ours.run.output) == (truth.status, truth.output)
    found = lines_of(ours.counts)
    both = found.keys() & truth.lines.keys()
    assert both
    assert {at: found[at] for at in both} == {at: truth.lines[at] for at in both}
    for path in (tmp_path / "counted").iterdir():
        assert path.read_bytes() == (tmp_path / "plain" / path.name).read_bytes()


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (
            "int main(void) {\nint add(int a) { return a; }\nreturn add(1); }",
            "source-does-not-parse",
            "main.c:2: function definition is not allowed here: .*functions inside functions",
        ),
        ("\nclass A {}; int main() {}", "source-does-not-parse", "main.c:2: .*C\\+\\+"),
        ("", "source-without-main", "main.c: no function main"),
        (
            "int f(int *p) {\n  return *p;\n}\nint main(int n) {\n  return f((int *)(n - 1));\n}",
            "counted-program-died",
            "main.c:2: the program died of SIGSEGV",
        ),
        (
            "int main(int n) {\n  n--;\n  return 4 / n;\n}",
            "counted-program-died",
            "main.c:3: the program died of SIGFPE",
        ),
        (
            "#include <string.h>\nint main(int n, char **a) {\n  return strlen(a[n]);\n}",
            "counted-program-died",
            "main.c:3: the program died of SIGSEGV",
        ),
        (
            "int f(int n) {\n  volatile int a[9]; a[0] = n;\n  return f(n + 1) + a[0];\n}\n"
            "int main(void) {\n  return f(0);\n}",
            "counted-program-died",
            "main.c:[123]: the program died of SIGSEGV",
        ),
        (
            "int main(void) {\n  volatile int n = 1;\n  while (n);\n}",
            "counted-run-too-long",
            "main.c:3: the program did not end within 0.3 s",
        ),
    ],
)
def test_what_cannot_run_is_named_with_its_line(
    text: str, code: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "main.c").write_text(text)
    with pytest.raises(SourceError) as refused:
        count([SourceUnit(tmp_path / "main.c")], seconds=0.3)
    assert refused.value.code == code
    assert re.search(said, str(refused.value))


def test_static_functions_of_one_name_in_two_files_stay_apart(tmp_path: Path) -> None:
    one = "static int step(void) { return 1; }\nint other(void);\n"
    (tmp_path / "a.c").write_text(one + "int main(void) { return step() + other(); }\n")
    (tmp_path / "b.c").write_text(
        "static int step(void) { return 2; }\nint other(void) { return step() + step(); }\n"
    )
    ours = count([SourceUnit(tmp_path / name) for name in ("a.c", "b.c")])
    assert ours.run.status == 5
    steps = [one for one in ours.counts.functions if one.name == "step"]
    times = {Path(one.file).name: ours.counts.totals[one.regions[0]] for one in steps}
    assert times == {"a.c": 1, "b.c": 2}


def test_a_file_that_is_named_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    with pytest.raises(SourceError) as refused:
        count([SourceUnit(tmp_path / "main.c")] * 2)
    assert refused.value.code == "source-named-twice"


def test_a_program_reads_what_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(
        "#include <stdio.h>\nint main(void) { int c; while ((c = getchar()) != EOF) putchar(c); }\n"
    )
    given = bytes(range(256))
    assert count([SourceUnit(tmp_path / "main.c")], given=given).run.output == given
