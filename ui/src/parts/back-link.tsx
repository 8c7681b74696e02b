import { Icon } from './icon.tsx'

/** To the list that this is one of. */
export function BackLink({ to, name }: { readonly to: string; readonly name: string }) {
  return (
    <a className="back" href={to}>
      <Icon name="back" />
      {name}
    </a>
  )
}
