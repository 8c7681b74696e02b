import { type CompileContext, type DocumentKey, reportWarningAtValue } from '../context.ts'

/** A list means alternatives. `[git, push]` matches every use of `git`, and a program called `push`. */
export function warnOfCommandList(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  value: string | readonly string[],
): void {
  if (typeof value === 'string') return
  const words = value.map(item => item.trim())
  const [first = '', second = ''] = words
  if (words.length > 1 && words.every(word => !/\s/.test(word)) && PROGRAMS.has(first) && SUBCOMMANDS.has(second))
    reportWarningAtValue(
      context,
      holder,
      key,
      `a list means "one of these": it matches every \`${first}\`, and \`${words.slice(1).join('`, `')}\` as a program`,
      {
        help: `for that one command write \`${words.join(' ')}\``,
      },
    )
}

export const PROGRAMS = new Set(
  'git npm npx yarn pnpm bun cargo go docker podman kubectl helm terraform tofu gh glab aws gcloud az make just pip pipx poetry uv brew apt apt-get systemctl gradle mvn dotnet rails flyctl vercel heroku pulumi'.split(
    ' ',
  ),
)
export const SUBCOMMANDS = new Set(
  'push pull commit merge rebase reset checkout switch restore clean clone fetch add stash tag branch cherry-pick revert test run install uninstall publish apply delete destroy build start stop restart deploy release exec ci audit plan init login logout up down create update upgrade remove prune pr issue workflow s3 ec2 compose image scale rollout'.split(
    ' ',
  ),
)
