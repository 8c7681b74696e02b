import { href, useRoute } from '../route/route.ts'

interface Props {
  /** the query parameter in the address */
  readonly name: string
  readonly label: string
  readonly value: string
  readonly choices: readonly { readonly value: string; readonly title: string }[]
}

/** A choice between a few values, kept in the address. */
export function Choices({ name, label, value, choices }: Props) {
  const { page, rest, query } = useRoute()
  return (
    <nav className="choices" aria-label={label}>
      {choices.map(choice => (
        <a
          key={choice.value}
          href={href([page, ...rest], { ...Object.fromEntries(query), [name]: choice.value })}
          {...(choice.value === value && { 'aria-current': 'true' as const })}
        >
          {choice.title}
        </a>
      ))}
    </nav>
  )
}
