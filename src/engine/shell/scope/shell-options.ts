/**
 * Options of a shell that leave it as it is read here: what a word, a comment, a wildcard or a command is. With any other one
 * (`histexpand`, `globsubst`, `promptsubst`, `interactive_comments`) a line may mean something else.
 */
const SET_OPTIONS = new Set(
  'errexit nounset pipefail xtrace verbose noglob noclobber noexec onecmd allexport monitor notify errtrace functrace emacs vi posix physical nolog'.split(
    ' ',
  ),
)
const SHOPT_OPTIONS = new Set(
  'globstar nullglob dotglob nocaseglob failglob nocasematch lastpipe inherit_errexit extglob checkwinsize'.split(' '),
)

/** The names of zsh may have underscores and capitals. */
export const normalizeOptionName = (name: string): string => name.toLowerCase().replaceAll('_', '')

/** The value of `set -o` or `bash -o`. */
export const isKnownSetOption = (name: string | null | undefined): boolean =>
  typeof name === 'string' && SET_OPTIONS.has(normalizeOptionName(name))

/** The value of `shopt -s` or `bash -O`. */
export const isKnownShopt = (name: string | null | undefined): boolean =>
  typeof name === 'string' && (SHOPT_OPTIONS.has(name) || SET_OPTIONS.has(name))

/** `-euo`: letters that mean the same in bash, dash and zsh, or change nothing. */
export const hasKnownSetLetters = (cluster: string): boolean => /^[-+][aeuvxfmntCEo]+$/.test(cluster)

/** The same of a shell that is started: it also has `-c`, `-s`, `-i`, `-l`, and the `-O` of bash. */
export const hasKnownStartupLetters = (cluster: string): boolean => /^[-+][aeuvxfmntCEocsilprO]+$/.test(cluster)

const LONG_OPTIONS = new Set('--version --help --norc --noprofile --login --posix --restricted --verbose'.split(' '))

export const isKnownLongOption = (option: string): boolean =>
  LONG_OPTIONS.has(option) || /^--(dump|pretty)/.test(option)
