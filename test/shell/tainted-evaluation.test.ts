import { describe, expect, it } from 'vitest'
import { analyseShellLine } from '../../src/engine/shell/index.ts'

/** Something in the line may run what nobody can read. */
const isHidden = (line: string): boolean =>
  analyseShellLine(line).acts.some(act => act.opaque || (act.action === 'run' && !act.onlyReads))

describe('text that is evaluated as a number or a name', () => {
  it.each([
    'x=$(cat f); ((x))',
    'x=$(cat f); (( 1 + x ))',
    'x=$(cat f); (( y ? (x) : -x ))',
    'x=$(cat f); echo $((x))',
    'x=$(cat f); echo "$((x))"',
    'x=$(cat f); y=$((x))',
    'x=$(cat f); for ((i=x;;)); do :; done',
    'x=$(cat f); [[ $x -eq 0 ]]',
    'x=$(cat f); [[ a && ! ( 0 -lt x ) ]]',
    'x=$(cat f); [[ -v $x ]]',
    `x=$(cat f); echo \${y:$x}`,
    `x=$(cat f); echo \${y:0:x}`,
    `x=$(cat f); echo \${a[x]}`,
    'x=$(cat f); a[x]=1',
    'x=`cat f`; ((x))',
    'x="$(cat f)"; ((x))',
    'x=1$(cat f); ((x))',
    'x=$(wc -l f); ((x))',
    'x=$(seq -f $y 1); ((x))',
    'x=$(cat f); y=$x; ((y))',
    'x=1; x+=$(cat f); ((x))',
    'read x < f; ((x))',
    'cat f | read x; ((x))',
    'for x in $(cat f); do ((x)); done',
    "X='a[$'; Y='(b)]'; (( $X$Y ))",
    'x=$(cat f); export x; bash -c "((x))"',
    "x=$(cat f) bash -c '((x))'",
    'set -- "$(cat f)"; (( $1 ))',
    'echo $(( $(cat f) ))',
    '[[ $(cat f) -gt 1 ]]',
    `x=$(cat f); echo \${!x}`,
    `x=$(cat f); y="\${!x:-a}"`,
    `set -- "$(cat f)"; echo \${!1}`,
    "declare -a x='($(rm f))'",
    'x=$(cat f); declare -a y="$x"',
    'a=(1); export a="$(cat f)"',
    'a[0]=1; readonly a="$(cat f)"',
    'mapfile a < f; declare a="$(cat f)"',
    'declare -a a; declare a="$(cat f)"',
    'declare DIRSTACK="$(cat f)"',
    'wait -p "$(cat f)"',
    'x=$(cat f); [ -f a ] && x=1; ((x))',
    `${Array.from({ length: 80 }, (_, at) => `v${at}=$(cat f)`).join('; ')}; ((w))`,
  ])('%j is not let through', line => {
    expect(isHidden(line)).toBe(true)
  })

  it.each([
    'x=1; ((x))',
    'x=5; y=$((x+1)); echo $((y*2))',
    'x=$(wc -l < f); ((x > 5))',
    'x=$(ls | wc -l); [[ $x -gt 5 ]]',
    '[[ $(ls | wc -l) -gt 5 ]]',
    's=$(date +%s); echo $(( $(date +%s) - s ))',
    'n=$(git rev-list --count HEAD); ((n))',
    'for i in $(seq 3); do echo $((i*2)); done',
    'for i in 1 2 3; do echo $((i*2)); done',
    'for ((i=0;i<3;i++)); do echo $i; done',
    'i=0; while [ $i -lt 3 ]; do i=$((i+1)); done',
    'n=0; while read -r l; do ((n++)); done < f',
    `x=$(cat f); echo \${x:0:7}`,
    'x=$(cat f); [[ $x == y ]]',
    'x=$(cat f); [ "$x" -gt 5 ]',
    'x=$(cat f); x=1; ((x))',
    'x=1 && echo y; ((x))',
    '((HOME_X))',
    'n=$#; ((n))',
    `for v in A B; do echo \${!v}; done`,
    `declare -A m=([a]=1); for k in "\${!m[@]}"; do echo $k; done`,
    'a=(1); export b="$(cat f)"',
    'declare -a a=("$(cat f)") b=(1)',
    'wait $PID',
    `n=\${#a}; ((n))`,
  ])('%j passes', line => {
    expect(isHidden(line)).toBe(false)
  })
})

describe('what zsh runs', () => {
  it.each([
    'ls *(e:"x":)',
    'ls *(+x)',
    'ls *(#qe:x:)',
    'ls *(.Ne[x])',
    'for f in *(e:x:); do :; done',
    'a=(*(e:x:))',
    `X='$(x)'; echo \${(e)X}`,
    `echo \${~X}`,
    'echo $~X',
    'path=(/x); ls',
    'path=/x; ls',
    'path=src/a; cat $path',
    'commands[ls]=/x; ls',
    'functions[ls]=x; ls',
    'READNULLCMD=x; < f',
  ])('%j is not let through', line => {
    expect(isHidden(line)).toBe(true)
  })
  it.each(['ls *(a|e.b)', "rg '.*(some.thing)'", "rg -F '(e: Error)'"])('%j passes', line => {
    expect(isHidden(line)).toBe(false)
  })
})
