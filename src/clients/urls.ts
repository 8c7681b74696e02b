/** More than the client fetches at once, and longer than servers take. */
const MOST_URLS = 50
const LONGEST_URL = 8192

/**
 * URLs in running text, each once, without the punctuation of the sentence around them. Where there are too many, the last
 * is '': one that cannot be told.
 */
export const urlsIn = (words: string): readonly string[] => {
  const found = words.match(/\bhttps?:\/\/[^\s<>"'`]+/gi) ?? []
  const urls = [...new Set(found.map(url => trimmed(url.slice(0, LONGEST_URL))))]
  return urls.length > MOST_URLS ? [...urls.slice(0, MOST_URLS), ''] : urls
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
