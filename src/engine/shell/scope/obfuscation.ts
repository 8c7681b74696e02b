/**
 * Text that bash evaluates where no command stands: an index such as `a[$(x)]` runs wherever a variable's name or a number
 * is wanted (`test -v`, `printf -v`, `read`, `[[ … -eq … ]]`), and `${p@P}` expands the value of `p` once more.
 */
const INDEX_CODE = /\w["'\\]{0,4}\[[\s\d+"'\\-]{0,16}(?:\$["'\\]{0,4}\((?!\(|NF(?:\s*-\s*\d+)?\))|`)/
const PROMPT_EXPANSION = /@P\}/

/** The same of zsh: `${(e)x}`, `${~x}` and `$~x` evaluate a value. */
const ZSH_EVALUATION = /\$\{[(~=^]|\$[~=^]+[A-Za-z_]/

/** Cheap, and to be on the safe side: the text may also be mere data. `$((` counts, and `$(NF)` is awk's. */
export const mayHideCode = (text: string): boolean =>
  INDEX_CODE.test(text) || PROMPT_EXPANSION.test(text) || ZSH_EVALUATION.test(text)

/** Zsh runs what stands in `*(e:x:)` and `*(+x)` for each file; to bash that is a wildcard. */
export const isCodeQualifier = (wildcard: string): boolean =>
  !wildcard.includes('|') && /e[^\w\s]|\+\w|^#q/.test(wildcard)
