const MOST_URLS = 20

/** URLs in running text, each once, without the punctuation of the sentence around them. */
export const urlsIn = (words: string): readonly string[] => {
  const found = words.match(/\bhttps?:\/\/[^\s<>"'`]+/gi) ?? []
  return [...new Set(found.map(trimmed))].slice(0, MOST_URLS)
}

/** `(https://a.io/x_(y)).` is `https://a.io/x_(y)`: a bracket is the URL's own if it was opened there. */
function trimmed(url: string): string {
  let end = url.length
  for (; end > 0; end--) {
    const last = url[end - 1] ?? ''
    const opening = { ')': '(', ']': '[', '}': '{' }[last]
    const isOpen = opening !== undefined && countOf(url, opening, end) >= countOf(url, last, end)
    if (isOpen || (opening === undefined && !'.,;:!?'.includes(last))) break
  }
  return url.slice(0, end)
}

const countOf = (text: string, mark: string, end: number): number => text.slice(0, end).split(mark).length - 1
