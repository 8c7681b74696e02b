import type { Arg, Assignments } from '../calls/argument.ts'

/** Variables that change how a program behaves, and so whether it can be trusted as read-only. */
const BEHAVIOUR_VARIABLES = new Set(
  'POSIXLY_CORRECT IFS CDPATH SHELL GLOBIGNORE HOME XDG_CONFIG_HOME DOCKER_HOST CARGO_HOME MANPATH SSLKEYLOGFILE GNUPGHOME UNZIP UNZIPOPT PYTHONPYCACHEPREFIX'.split(
    ' ',
  ),
)

/** Variables that name a program: one plain word is a program name, anything more is a shell line. */
const PROGRAM_VARIABLES = new Set('PAGER EDITOR VISUAL MANPAGER BROWSER'.split(' '))
const PLAIN_WORD = /^[\w./@%+:,~-]+$/

/** Variables that name code to run. */
const CODE_VARIABLES = new Set(
  'PATH MAILPATH PROMPT_EOL_MARK BASH_ENV BASH_CMDS BASH_ALIASES ENV PROMPT_COMMAND SHELLOPTS BASHOPTS PS1 PS2 PS3 PS4 PROMPT PROMPT2 PROMPT3 PROMPT4 RPROMPT RPS1 RPS2 RPROMPT2 SPROMPT PS0 POSTEDIT GIT_EXTERNAL_DIFF GIT_SSH GIT_SSH_COMMAND GIT_EXEC_PATH GIT_PROXY_COMMAND GIT_TEMPLATE_DIR LESSOPEN LESSCLOSE NODE_OPTIONS NODE_PATH PYTHONSTARTUP PYTHONPATH PYTHONHOME PERL5OPT PERL5LIB PERL5DB RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS TAPE RIPGREP_CONFIG_PATH ZDOTDIR GH_BROWSER NULLCMD READNULLCMD GH_CONFIG_DIR GH_PATH KUBECONFIG DOCKER_CONFIG BAT_CONFIG_PATH MANOPT MANROFFOPT ACKRC GOFLAGS RUSTC MAKEFILES MAKEFLAGS GNUMAKEFLAGS OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES PERLLIB BAT_CONFIG_DIR PYTHONUSERBASE PYTHONBREAKPOINT PYTHONWARNINGS PYTHONINSPECT TERMINFO TERMINFO_DIRS GCONV_PATH LOCPATH NLSPATH GETCONF_DIR MAGIC AWKPATH AWKLIBPATH BASH_LOADABLES_PATH VIMINIT GVIMINIT EXINIT VIMRUNTIME INPUTRC EDITRC CLASSPATH JDK_JAVA_OPTIONS _JAVA_OPTIONS LUA_INIT LUA_PATH LUA_CPATH PHPRC PHP_INI_SCAN_DIR DOTNET_STARTUP_HOOKS RUBYSHELL PERL5SHELL SSH_SK_PROVIDER KRB5_CONFIG GTK_MODULES GIO_EXTRA_MODULES QT_PLUGIN_PATH R_PROFILE R_PROFILE_USER JULIA_LOAD_PATH TCLLIBPATH FPATH MODULE_PATH ARGV0 STTY HISTCHARS histchars options parameters builtins dis_builtins widgets nameddirs reswords precmd_functions preexec_functions chpwd_functions periodic_functions zshexit_functions zshaddhistory_functions'.split(
    ' ',
  ),
)

/** Values that mean "do nothing" for variables that name a program or are a switch. For other variables they name a file. */
const HARMLESS_VALUES = new Set(['cat', 'true', ':', '0', '1'])
const HARMLESS_VALUE_VARIABLES =
  /(PAGER|EDITOR|VISUAL|BROWSER|ASKPASS|_SSH|_COMMAND)$|^(LESS|LESSOPEN|LESSCLOSE|LESSSECURE|GIT_EXTERNAL_DIFF|NODE_OPTIONS|MAKEFLAGS)$|^GIT_(?!CONFIG(_GLOBAL|_SYSTEM)?$)(?!.*(DIR|DIRECTORY|DIRECTORIES|FILE|PATH|TREE|STDIN|STDOUT|STDERR)$)/
const isHarmlessValue = (name: string, value: string): boolean =>
  value === '' || (HARMLESS_VALUES.has(value) && HARMLESS_VALUE_VARIABLES.test(name))

type VariableRisk = 'plain' | 'changes' | 'runs'

/** Node options that only raise limits or reduce output. */
const HARMLESS_NODE_OPTIONS =
  /^((--max-old-space-size=\d+|--no-warnings|--no-deprecation|--experimental-vm-modules|--stack-trace-limit=\d+)(\s+|$))+$/

const NPM_CONFIG = /^npm_config_/i
const NPM_CODE_CONFIG =
  /^npm_config_(script_shell|node_options|userconfig|globalconfig|git|shell|editor|browser|viewer)$/i

/** Zsh tables whose entries are code, name code, or are files. */
const ZSH_CODE_TABLES =
  'path|fpath|module_path|commands|(?:dis_)?functions|(?:dis_)?[gs]?aliases|nameddirs|options|mapfile'
const TABLE_NAME = new RegExp(`^(?:${ZSH_CODE_TABLES})$`)
const TABLE_ENTRY = new RegExp(`^(?:-[a-zA-Z]*)??(?:${ZSH_CODE_TABLES})\\[`)
/** `${functions[f]::=code}` */
const TABLE_DEFAULT = new RegExp(`\\$\\{(?:${ZSH_CODE_TABLES})\\[[^\\]]*\\]:{0,2}=`)

export const isZshTable = (name: string): boolean => TABLE_NAME.test(name)

/** A word such as `functions[f]` or `functions[f]=code`, where a builtin expects a name. */
export const isZshTableEntry = ({ text, head }: Arg): boolean => TABLE_ENTRY.test(text ?? head)

/** Zsh tables that define what names mean. The line may set single entries or the whole list. */
const ZSH_TABLES = new Set(
  'path fpath module_path cdpath manpath mailpath psvar fignore watch commands functions aliases galiases saliases dis_functions dis_aliases mapfile'.split(
    ' ',
  ),
)

export function variableRiskOf(name: string, value: string | null): VariableRisk {
  if (name === 'NODE_OPTIONS' && value !== null && HARMLESS_NODE_OPTIONS.test(value)) return 'plain'
  if (name === 'LESS' && value !== null && /^[-FRXSKiIMmNneEqQw ]*$/.test(value)) return 'plain'
  // `true` is an ordinary value here, and for `script_shell` it names a program that does nothing
  if (NPM_CONFIG.test(name)) return NPM_CODE_CONFIG.test(name) ? 'runs' : 'changes'
  if (ZSH_TABLES.has(name)) return 'changes'
  if (name === 'JAVA_HOME' && value !== null && SYSTEM_JAVA_HOME.test(value)) return 'plain'
  const kind = PROGRAM_VARIABLES.has(name)
    ? value !== null && PLAIN_WORD.test(value)
      ? 'changes'
      : 'runs'
    : riskByName(name)
  return kind !== 'plain' && value !== null && name !== 'PATH' && isHarmlessValue(name, value) ? 'plain' : kind
}

/** Settings of test runners, build tools and package managers: they may select or skip tests, or run another program. */
const TOOL_SETTINGS =
  /^(PYTEST|PYTHON|COVERAGE_(PROCESS_START|RCFILE)|MYPY|RUFF_|PYLINT|PYRIGHT|HADOLINT_|CARGO|NEXTEST|PROPTEST|QUICKCHECK|INSTA_|TRYBUILD|CLIPPY|GO(?=[A-Z0-9])|MAKE|MFLAGS|GNUMAKE|MAVEN|M2|MVNW|GRADLE|ORG_GRADLE|JAVA|JDK|SBT_|DOTNET|VSTEST|MSBUILD|BAZEL|TESTBRIDGE|TEST_(TOTAL_SHARDS|SHARD_INDEX)|TESTOPTS|TOX|NOX|CTEST|GTEST|BOOST_TEST|JEST|VITEST|MOCHA|TAP($|_)|NYC|NODE_|TS_NODE|ESLINT|BIOME_|NX_|TURBO_|LERNA_|PLAYWRIGHT|PW_TEST|PWTEST|CYPRESS|DENO|BUN|PHP|COMPOSER|SWIFT|MIX_|ERL_|FLUTTER|DART_|JUST_|UV|POETRY|BUNDLE|COREPACK|RUST(?!_(BACKTRACE|LOG)$)|UPDATE_(EXPECT|SNAPSHOTS?|GOLDENS?)$)|^(yarn|pnpm_config|npm_(execpath|node_execpath|lifecycle|package))_?/i
/** The settings among these that affect only output, speed or folders without code, and settings that only the project itself reads. */
const TOOL_DISPLAY_SETTINGS =
  /^(CARGO_TERM_\w+|CARGO_INCREMENTAL|CARGO_BUILD_JOBS|CARGO_NET_\w+|CTEST_(OUTPUT_ON_FAILURE|PARALLEL_LEVEL|PROGRESS_OUTPUT)|GOMAXPROCS|GOGC|GOMEMLIMIT|GOCACHE|GOPROXY|GOPRIVATE|GOOGLE_\w+|DOTNET_(NOLOGO|CLI_TELEMETRY_OPTOUT)|UV_NO_PROGRESS|POETRY_NO_INTERACTION|NODE_(ENV|NO_WARNINGS|DEBUG|DISABLE_COLORS|PENDING_DEPRECATION|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED|CONFIG\w*|APP_INSTANCE|AUTH_TOKEN|VERSION)|PYTHON(UNBUFFERED|DONTWRITEBYTECODE|HASHSEED|IOENCODING|UTF8|FAULTHANDLER|ASYNCIODEBUG|TRACEMALLOC|DEVMODE|NOUSERSITE|SAFEPATH)|MIX_ENV|NX_(VERBOSE_LOGGING|DAEMON|SKIP_NX_CACHE)|TURBO_(TELEMETRY_DISABLED|LOG_ORDER|TOKEN|TEAM)|FLUTTER_ROOT)$/
/** Java in a system folder; in any other folder it may be any program. */
const SYSTEM_JAVA_HOME = /^(?!.*\.\.)(\/usr\/|\/opt\/|\/Library\/Java\/|~\/\.sdkman\/candidates\/)/

/** Variables that name a program, whichever program reads them. */
const PROGRAM_SUFFIX = /_(PAGER|EDITOR|ASKPASS|WRAPPER)$/

function riskByName(name: string): VariableRisk {
  if (PROGRAM_SUFFIX.test(name)) return 'runs'
  if (TOOL_SETTINGS.test(name) && !TOOL_DISPLAY_SETTINGS.test(name) && !CODE_VARIABLES.has(name)) return 'changes'
  if (CODE_VARIABLES.has(name)) return 'runs'
  if (name.startsWith('LD_') || name.startsWith('DYLD_') || name.startsWith('BASH_FUNC_')) return 'runs'
  if (name.startsWith('GIT_CONFIG') || /^GROFF_|_(PAGER_COLOR|OPTS|OPTIONS)$/.test(name)) return 'runs'
  return BEHAVIOUR_VARIABLES.has(name) || name.startsWith('GIT_') || name.startsWith('LESS') ? 'changes' : 'plain'
}

/** Variables that the shell itself sets: they may not hold the assigned value. */
const SHELL_MAINTAINED =
  /^(_|BASH|BASH_\w+|BASHPID|BASHOPTS|SHELLOPTS|RANDOM|SRANDOM|SECONDS|LINENO|REPLY|PIPESTATUS|OPTARG|OPTIND|OPTERR|DIRSTACK|FUNCNAME|GROUPS|UID|EUID|PPID|PWD|OLDPWD|HISTCMD|EPOCHSECONDS|EPOCHREALTIME|COMP_\w+|COMPREPLY|COPROC|MAPFILE|HOSTNAME|COLUMNS|LINES|SHLVL|MATCH|match|MBEGIN|MEND|mbegin|mend|reply|argv|ARGC|status|pipestatus|signals|dirstack|TTY|TTYIDLE|HOST|ERRNO|USERNAME|ZSH_\w+|zsh_eval_context|historywords|history|funcstack|jobtexts|jobstates)$/

export const isShellMaintained = (name: string): boolean => SHELL_MAINTAINED.test(name)

/** Integer variables in bash or zsh: an assigned value is evaluated. */
const INTEGER_VARIABLES = new Set(
  'RANDOM SRANDOM SECONDS LINENO HISTCMD OPTIND BASHPID BASH_SUBSHELL EPOCHSECONDS SHLVL HISTSIZE SAVEHIST KEYTIMEOUT FUNCNEST LISTMAX LOGCHECK MAILCHECK TMOUT COLUMNS LINES ERRNO PERIOD TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT UID EUID GID EGID BAUD DIRSTACKSIZE REPORTTIME REPORTMEMORY ZLE_RPROMPT_INDENT ARGC HISTNO MARK TTYIDLE ZSH_SUBSHELL MBEGIN MEND ESCDELAY'.split(
    ' ',
  ),
)

export const isIntegerVariable = (name: string): boolean => INTEGER_VARIABLES.has(name)

/** True for a literal number or an empty value, not for the name of another variable. */
export const isDigits = (value: string | null): boolean => value !== null && /^\s*[-+]?\d*\s*$/.test(value)

/** Variables that name a file a program writes: a trace, a history, an index. Numeric and switch values name no file. */
export const isOutputFileVariable = (name: string, value: string | null): boolean =>
  /^(GIT_TRACE\w*|GIT_TR2_\w+|GIT_INDEX_FILE|GIT_REDIRECT_STD(OUT|ERR)|HISTFILE|LESSHISTFILE|NODE_REPL_HISTORY|PYTHON_HISTORY|SQLITE_HISTORY|MYSQL_HISTFILE|PSQL_HISTORY|SSLKEYLOGFILE|NODE_V8_COVERAGE|NODE_REDIRECT_WARNINGS|TAPE)$/.test(
    name,
  ) && !/^(\d|true|false|off|-)?$/i.test(value ?? 'unknown')

/** Variables that only affect display. */
export const isDisplayVariable = (name: string): boolean =>
  /^(LANG|LANGUAGE|LC_\w+|TZ|TERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|CI|PAGER|GIT_PAGER|GH_PAGER)$/.test(
    name,
  )

/** Variables without effect even on a program that reads any variable as a setting. */
export const isHarmlessVariable = (name: string): boolean => isDisplayVariable(name) || TOOL_DISPLAY_SETTINGS.test(name)

/** The highest risk among several assignments. */
export function highestRisk(assigns: Readonly<Record<string, string | null>> | undefined): VariableRisk {
  let weight: VariableRisk = 'plain'
  for (const name in assigns) {
    const own = variableRiskOf(name, assigns[name] ?? null)
    if (own === 'runs') return own
    if (own === 'changes') weight = own
  }
  return weight
}

const NAME = /^[A-Za-z_]\w*$/
const ASSIGNMENT_PAIR = /^([A-Za-z_]\w*)=/

/** Finds the variables that a command sets through its words, as `NAME` or `NAME=value`, instead of by a shell assignment. */
type NameFinder = (words: readonly string[]) => readonly string[]

const findNames: NameFinder = words => words.filter(word => NAME.test(word))
const findPairNames: NameFinder = words => words.flatMap(word => ASSIGNMENT_PAIR.exec(word)?.[1] ?? [])
const findAfterVerb =
  (verb: RegExp, sets: NameFinder): NameFinder =>
  words => {
    const at = words.findIndex(word => verb.test(word))
    return at < 0 ? [] : sets(words.slice(at + 1))
  }
const findRunnerNames = findAfterVerb(/^(cross-env|cross-env-shell|env-cmd)(@.*)?$/, findPairNames)

const NAME_FINDERS: Readonly<Record<string, NameFinder>> = {
  read: findNames,
  readarray: findNames,
  mapfile: findNames,
  getopts: findNames,
  printf: words => (words[0]?.startsWith('-v') ? findNames([words[0].slice(2) || (words[1] ?? '')]) : []),
  tmux: findAfterVerb(/^(setenv|set-environment)$/, words => findNames(words).slice(0, 1)),
  launchctl: findAfterVerb(/^setenv$/, words => findNames(words).slice(0, 1)),
  setx: words => findNames(words).slice(0, 1),
  systemctl: findAfterVerb(/^(set|import)-environment$/, words => [...findPairNames(words), ...findNames(words)]),
  'dbus-update-activation-environment': words => [...findPairNames(words), ...findNames(words)],
  'cross-env': findPairNames,
  'cross-env-shell': findPairNames,
  npx: findRunnerNames,
  bunx: findRunnerNames,
  npm: findRunnerNames,
  pnpm: findRunnerNames,
  yarn: findRunnerNames,
}

/** Programs that set variables through their words. */
export const ASSIGNING_PROGRAMS: ReadonlySet<string> = new Set(Object.keys(NAME_FINDERS))

/** Variables that the command sets through its words, or by `${NAME:=value}` in them. All values count as unknown. */
export function persistentAssignmentsOf(program: string, args: readonly Arg[], via: string): Assignments | undefined {
  const words = args.slice(1).flatMap(({ text }) => text ?? [])
  const own = ASSIGNING_PROGRAMS.has(program) ? (NAME_FINDERS[program]?.(words) ?? []) : []
  const all = via.includes('=') ? [...own, ...namesAssignedInExpansions(words, via)] : own
  return all.length === 0 ? undefined : Object.fromEntries(all.map(name => [name, null]))
}

/** In quotes `${NAME:=value}` is plain text, and then it still appears in the expanded words. */
const namesAssignedInExpansions = (words: readonly string[], via: string): readonly string[] =>
  [...via.matchAll(/\$\{([A-Za-z_]\w*):?=/g)].flatMap(([text, name = '']) =>
    words.some(word => word.includes(text)) ? [] : [name],
  )

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
  INDEX_CODE.test(text) || PROMPT_EXPANSION.test(text) || ZSH_EVALUATION.test(text) || TABLE_DEFAULT.test(text)

/** Zsh runs the code in `*(e:x:)` and `*(+x)` for each file. Bash reads it as a wildcard. */
export const isCodeQualifier = (wildcard: string): boolean =>
  !wildcard.includes('|') && /e[^\w\s]|\+\w|^#q/.test(wildcard)
