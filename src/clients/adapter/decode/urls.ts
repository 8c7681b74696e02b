/** More URLs than the client fetches at once, and longer ones than servers accept. */
const MAX_URLS = 50
const MAX_URL_LENGTH = 8192

/**
 * URLs in running text, without duplicates and without the punctuation around them. If there are too many, the last entry is
 * '', which stands for an unknown URL.
 */
export const findUrls = (words: string): readonly string[] => {
  const found = words.match(/\bhttps?:\/\/[^\s<>"'`]+/gi) ?? []
  const urls = [...new Set(found.map(url => trimPunctuation(url.slice(0, MAX_URL_LENGTH))))]
  return urls.length > MAX_URLS ? [...urls.slice(0, MAX_URLS), ''] : urls
}

/** `(https://a.io/x_(y)).` → `https://a.io/x_(y)`: a closing bracket belongs to the URL if it was opened there. */
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
