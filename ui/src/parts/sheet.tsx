import { type ReactNode, useId } from 'react'

interface Props {
  readonly title: string
  readonly about?: ReactNode
  readonly end?: ReactNode
  readonly children: ReactNode
}

/** A titled section of a page. */
export function Sheet({ title, about, end, children }: Props) {
  const id = useId()
  return (
    <section className="sheet" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {about !== undefined && <p>{about}</p>}
        {end !== undefined && <div className="end">{end}</div>}
      </header>
      {children}
    </section>
  )
}
