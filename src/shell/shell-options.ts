/**
 * Options of a shell that leave it as it is read here: what a word, a comment, a wildcard or a command is. With any other one
 * (`histexpand`, `globsubst`, `promptsubst`, `interactive_comments`) a line may mean something else.
 */
const OPTIONS = new Set(
  'errexit nounset pipefail xtrace verbose noglob noclobber noexec onecmd allexport monitor notify errtrace functrace emacs vi posix physical nolog'.split(
    ' ',
  ),
)
const SHOPT = new Set(
  'globstar nullglob dotglob nocaseglob failglob nocasematch lastpipe inherit_errexit extglob checkwinsize'.split(' '),
)

/** The names of zsh may have underscores and capitals. */
export const optionName = (name: string): string => name.toLowerCase().replaceAll('_', '')

/** The value of `set -o` or `bash -o`. */
export const isKnownOption = (name: string | null | undefined): boolean =>
  typeof name === 'string' && OPTIONS.has(optionName(name))

/** The value of `shopt -s` or `bash -O`. */
export const isKnownShopt = (name: string | null | undefined): boolean =>
  typeof name === 'string' && (SHOPT.has(name) || OPTIONS.has(name))

/** `-euo`: letters that mean the same in bash, dash and zsh, or change nothing. */
export const hasKnownLetters = (cluster: string): boolean => /^[-+][aeuvxfmntCEo]+$/.test(cluster)

/** The same of a shell that is started: it also has `-c`, `-s`, `-i`, `-l`, and the `-O` of bash. */
export const hasKnownStartLetters = (cluster: string): boolean => /^[-+][aeuvxfmntCEocsilprO]+$/.test(cluster)

const LONG = new Set('--version --help --norc --noprofile --login --posix --restricted --verbose'.split(' '))

export const isKnownLongOption = (option: string): boolean => LONG.has(option) || /^--(dump|pretty)/.test(option)
