/** More than the client fetches at once, and longer than servers take. */
const MAX_URLS = 50
const MAX_URL_LENGTH = 8192

/**
 * URLs in running text, each once, without the punctuation of the sentence around them. Where there are too many, the last
 * is '': one that cannot be told.
 */
export const findUrls = (words: string): readonly string[] => {
  const found = words.match(/\bhttps?:\/\/[^\s<>"'`]+/gi) ?? []
  const urls = [...new Set(found.map(url => trimPunctuation(url.slice(0, MAX_URL_LENGTH))))]
  return urls.length > MAX_URLS ? [...urls.slice(0, MAX_URLS), ''] : urls
}

/** `(https://a.io/x_(y)).` is `https://a.io/x_(y)`: a bracket is the URL's own if it was opened there. */
function trimPunctuation(url: string): string {
  let end = url.length
  for (; end > 0; end--) {
    const last = url[end - 1] ?? ''
    const opening = { ')': '(', ']': '[', '}': '{' }[last]
    const isOpen = opening !== undefined && countChar(url, opening, end) >= countChar(url, last, end)
    if (isOpen || (opening === undefined && !'.,;:!?'.includes(last))) break
  }
  return url.slice(0, end)
}

const countChar = (text: string, mark: string, end: number): number => text.slice(0, end).split(mark).length - 1
