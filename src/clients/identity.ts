/**
 * An event's identity: the ids a client gave it and what it is about, word for word. The ids alone are not enough: models behind a
 * proxy may number their calls anew in every turn, and a call must never get another call's answer. The store keeps its hash.
 */
export const identityOf = (ids: readonly string[], about: string): string => JSON.stringify([...ids, about])
