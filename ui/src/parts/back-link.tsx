import { Icon } from './icon.tsx'

/** A link back to the list. */
export function BackLink({ to, name }: { readonly to: string; readonly name: string }) {
  return (
    <a className="back" href={to}>
      <Icon name="back" />
      {name}
    </a>
  )
}
