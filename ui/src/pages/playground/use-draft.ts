import { useEffect, useState } from 'react'

const nameOf = (project: string): string => `signalbox-draft ${project}`

function readStored(project: string): string | undefined {
  try {
    return localStorage.getItem(nameOf(project)) ?? undefined
  } catch {
    return undefined
  }
}

function keep(project: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(nameOf(project))
    else localStorage.setItem(nameOf(project), text)
  } catch {
    // no storage: the draft lasts until the page is closed
  }
}

interface StoredDraft {
  readonly of: string | undefined
  readonly text: string | undefined
}

const draftOf = (project: string | undefined): StoredDraft => ({
  of: project,
  text: project === undefined ? undefined : readStored(project),
})

/** The draft of a project's policy, kept in this browser until it is dropped. Undefined if there is none. */
export function useDraft(
  project: string | undefined,
): readonly [text: string | undefined, change: (text: string | undefined) => void] {
  const [known, setKnown] = useState(() => draftOf(project))
  useEffect(() => {
    setKnown(draftOf(project))
  }, [project])
  const change = (text: string | undefined): void => {
    if (project !== undefined) keep(project, text)
    setKnown({ of: project, text })
  }
  // a draft of one project must not be judged in another
  return [known.of === project ? known.text : undefined, change]
}
