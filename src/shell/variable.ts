/** Variables that change what a program does, and so what it may be trusted with. */
const CHANGES = new Set('PAGER EDITOR VISUAL IFS CDPATH MANPAGER BROWSER SHELL GLOBIGNORE'.split(' '))

/** Variables that name code to run. */
const RUNS = new Set(
  'PATH BASH_ENV ENV PROMPT_COMMAND SHELLOPTS BASHOPTS PS4 GIT_PAGER GIT_EXTERNAL_DIFF GIT_SSH GIT_SSH_COMMAND GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_EXEC_PATH GIT_ASKPASS GIT_PROXY_COMMAND GIT_TEMPLATE_DIR LESSOPEN LESSCLOSE NODE_OPTIONS NODE_PATH PYTHONSTARTUP PYTHONPATH PYTHONHOME PERL5OPT PERL5LIB PERL5DB RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS RUSTC_WRAPPER SSH_ASKPASS TAR_OPTIONS RIPGREP_CONFIG_PATH GREP_OPTIONS ZDOTDIR'.split(
    ' ',
  ),
)

/** Values that stand for "do nothing". */
const HARMLESS = new Set(['cat', 'true', ':', '', '0', '1'])

export type Weight = 'plain' | 'changes' | 'runs'

/** Node options that only give it more room, or fewer words. */
const ROOMIER =
  /^((--max-old-space-size=\d+|--no-warnings|--no-deprecation|--experimental-vm-modules|--stack-trace-limit=\d+)(\s+|$))+$/

export function weigh(name: string, value: string | null): Weight {
  if (name === 'NODE_OPTIONS' && value !== null && ROOMIER.test(value)) return 'plain'
  const kind = kindOf(name)
  return kind !== 'plain' && value !== null && name !== 'PATH' && HARMLESS.has(value) ? 'plain' : kind
}

function kindOf(name: string): Weight {
  if (RUNS.has(name)) return 'runs'
  if (name.startsWith('LD_') || name.startsWith('DYLD_') || name.startsWith('BASH_FUNC_')) return 'runs'
  if (name.startsWith('GIT_CONFIG')) return 'runs'
  return CHANGES.has(name) || name.startsWith('GIT_') || name.startsWith('LESS') ? 'changes' : 'plain'
}
