/**
 * Shell options that do not change how this interpreter must read a word, a comment, a wildcard or a command. With other options
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

/** Zsh option names may contain underscores and capitals. */
export const normalizeOptionName = (name: string): string => name.toLowerCase().replaceAll('_', '')

/** The value of `set -o` or `bash -o`. */
export const isKnownSetOption = (name: string | null | undefined): boolean =>
  typeof name === 'string' && SET_OPTIONS.has(normalizeOptionName(name))

/** The value of `shopt -s` or `bash -O`. */
export const isKnownShopt = (name: string | null | undefined): boolean =>
  typeof name === 'string' && (SHOPT_OPTIONS.has(name) || SET_OPTIONS.has(name))

/** `-euo`: letters that mean the same in bash, dash and zsh, or have no effect on reading. */
export const hasKnownSetLetters = (cluster: string): boolean => /^[-+][aeuvxfmntCEo]+$/.test(cluster)

/** The same for starting a shell, which also accepts `-c`, `-s`, `-i`, `-l`, and bash's `-O`. */
export const hasKnownStartupLetters = (cluster: string): boolean => /^[-+][aeuvxfmntCEocsilprO]+$/.test(cluster)

const LONG_OPTIONS = new Set('--version --help --norc --noprofile --login --posix --restricted --verbose'.split(' '))

export const isKnownLongOption = (option: string): boolean =>
  LONG_OPTIONS.has(option) || /^--(dump|pretty)/.test(option)
