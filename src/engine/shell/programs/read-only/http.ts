import type { Arg } from '../../calls/argument.ts'
import { readOptions } from './option-values.ts'

const HTTP_URL = /^(?:https?:\/\/|(?!ftp|dict|ldap|imap|smtp|pop3|gopher)[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:[/?]|$))/i
const isUrl = (text: string): boolean => HTTP_URL.test(text)
const isGetting = (method: string): boolean => /^(?:GET|HEAD|OPTIONS)$/.test(method)
/** A file with headers, or a header by which a server takes the request for another one. */
const isHarmlessHeader = (header: string): boolean => !/^@|method|override/i.test(header)
const isNowhere = (file: string): boolean => file === '-' || file === '/dev/null'
const anyValue = (): boolean => true

/** Options with a value, and which values are harmless. */
const CURL_VALUES: Readonly<Record<string, (value: string) => boolean>> = {
  '-X': isGetting,
  '--request': isGetting,
  '-H': isHarmlessHeader,
  '--header': isHarmlessHeader,
  '-o': isNowhere,
  '--output': isNowhere,
  // it may read a file, and write one
  '-w': value => !/^@|%output/i.test(value),
  '--write-out': value => !/^@|%output/i.test(value),
  '--url': isUrl,
  '-A': anyValue,
  '--user-agent': anyValue,
  '-m': anyValue,
  '--max-time': anyValue,
  '--connect-timeout': anyValue,
  '--retry': anyValue,
  '--retry-delay': anyValue,
  '--max-redirs': anyValue,
  '--resolve': anyValue,
  '-r': anyValue,
  '--range': anyValue,
  '-e': anyValue,
  '--referer': anyValue,
}
const CURL_FLAGS =
  '-s -S -f -L -i -I -k -v -4 -6 -N -g -# -0 -q --silent --show-error --fail --fail-with-body --location --include --head --insecure --verbose --compressed --no-buffer --globoff --http1.0 --http1.1 --http2 --http3 --ipv4 --ipv6 --no-progress-meter --retry-connrefused --retry-all-errors --path-as-is --tlsv1.2 --tlsv1.3 --get -G'

/** `curl https://…`: fetches pages, and puts them out. */
export function isHarmlessCurl(words: readonly Arg[]): boolean {
  const urls = readOptions(words, { flags: CURL_FLAGS, values: CURL_VALUES })
  return urls?.every(isUrl) === true
}

const WGET_VALUES: Readonly<Record<string, (value: string) => boolean>> = {
  '-O': isNowhere,
  '--output-document': isNowhere,
  '--header': isHarmlessHeader,
  '--method': isGetting,
  '-T': anyValue,
  '--timeout': anyValue,
  '-t': anyValue,
  '--tries': anyValue,
  '-U': anyValue,
  '--user-agent': anyValue,
}
const WGET_FLAGS =
  '-q -S -4 -6 -nv -v --quiet --spider --server-response --no-verbose --no-check-certificate --no-cache --content-on-error --inet4-only --inet6-only'

/** `wget -qO- https://…`: without a file to write it would choose one itself. */
export function isHarmlessWget(words: readonly Arg[]): boolean {
  const urls = readOptions(words, { flags: WGET_FLAGS, values: WGET_VALUES })
  const writesNothing = words.some(({ text }) =>
    /^(?:--spider|--output-document(?:=.*)?|-[qS46]*O.*)$/.test(text ?? ''),
  )
  return urls !== undefined && writesNothing && urls.length > 0 && urls.every(isUrl)
}

const HTTPIE_FLAGS = '-h -b -v --headers --body --verbose --ignore-stdin -I --follow -F --check-status'
const HTTPIE_VALUES: Readonly<Record<string, (value: string) => boolean>> = {
  '--timeout': anyValue,
  '-p': anyValue,
  '--print': anyValue,
  '-s': anyValue,
  '--style': anyValue,
  '--pretty': anyValue,
  '--verify': value => /^(?:yes|no|true|false)$/.test(value),
}

/** `http GET localhost:3000 page==2`: without a method, what is on standard input would be sent. */
export function isHarmlessHttpie(words: readonly Arg[]): boolean {
  const [method = '', url = '', ...items] = readOptions(words, { flags: HTTPIE_FLAGS, values: HTTPIE_VALUES }) ?? []
  return isGetting(method) && isUrl(url) && items.every(item => /^[\w.-]+==[^@]*$/.test(item))
}
