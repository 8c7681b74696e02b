/**
 * Text that bash evaluates where no command stands: an index such as `a[$(x)]` runs wherever a variable's name or a number
 * is wanted (`test -v`, `printf -v`, `read`, `[[ … -eq … ]]`), and `${p@P}` expands the value of `p` once more.
 */
const INDEX = /\w["'\\]{0,4}\[[\s\d+"'\\-]{0,16}(?:\$["'\\]{0,4}\((?!\(|NF(?:\s*-\s*\d+)?\))|`)/
const PROMPT = /@P\}/

/** The same of zsh: `${(e)x}`, `${~x}` and `$~x` evaluate a value. */
const ZSH = /\$\{[(~=^]|\$[~=^]+[A-Za-z_]/

/** Cheap, and to be on the safe side: the text may also be mere data. `$((` counts, and `$(NF)` is awk's. */
export const hidesCode = (text: string): boolean => INDEX.test(text) || PROMPT.test(text) || ZSH.test(text)

/** Zsh runs what stands in `*(e:x:)` and `*(+x)` for each file; to bash that is a wildcard. */
export const isQualifier = (wildcard: string): boolean => !wildcard.includes('|') && /e[^\w\s]|\+\w|^#q/.test(wildcard)
