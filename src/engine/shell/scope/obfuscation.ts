/**
 * Text that bash evaluates outside of commands: an index such as `a[$(x)]` runs wherever a variable name or a number is
 * expected (`test -v`, `printf -v`, `read`, `[[ … -eq … ]]`), and `${p@P}` expands the value of `p` a second time.
 */
const INDEX_CODE = /\w["'\\]{0,4}\[[\s\d+"'\\-]{0,16}(?:\$["'\\]{0,4}\((?!\(|NF(?:\s*-\s*\d+)?\))|`)/
const PROMPT_EXPANSION = /@P\}/

/** Zsh equivalents: `${(e)x}`, `${~x}` and `$~x` evaluate a value. */
const ZSH_EVALUATION = /\$\{[(~=^]|\$[~=^]+[A-Za-z_]/

/** A cheap check that errs on the safe side: the text may be plain data. Excludes `$((` (arithmetic) and `$(NF)` (awk). */
export const mayHideCode = (text: string): boolean =>
  INDEX_CODE.test(text) || PROMPT_EXPANSION.test(text) || ZSH_EVALUATION.test(text)

/** Zsh runs the code in `*(e:x:)` and `*(+x)` for each file. Bash reads it as a wildcard. */
export const isCodeQualifier = (wildcard: string): boolean =>
  !wildcard.includes('|') && /e[^\w\s]|\+\w|^#q/.test(wildcard)
