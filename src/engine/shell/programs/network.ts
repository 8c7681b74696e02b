import { type Arg, argSuffix, basename, isStdin, literalArg, UNKNOWN_ARG } from '../calls/argument.ts'
import type { ProgramDescription } from '../calls/program-call.ts'
import {
  addFetchAction,
  addFileAction,
  addFileActions,
  addFolderWrite,
  findOption,
  hasOption,
  type ProgramCall,
} from '../calls/program-call.ts'
import { wildcardArg } from '../scope/path-resolution.ts'
import { expandCurlGlob } from './curl-glob.ts'
import { optionsOf } from './rare-programs/index.ts'

/** The file name a URL is saved under; its text is null if unknown. */
function downloadName(url: Arg): Arg {
  const path = url.text?.replace(/[?#].*$/, '').replace(/^[a-z+]+:\/\//i, '')
  return path?.includes('/') && !path.endsWith('/') ? literalArg(basename(path)) : { ...url, text: null }
}

/** `-d @file`, `--data-urlencode name@file`, `-F name=@file`, `-F name=<file`: the file in a value. */
function fileInValue(name: string, value: Arg): Arg | undefined {
  const text = value.text ?? value.head
  const mark = /^(-F|--form)$/.test(name)
    ? /^[^=]*=[@<]/
    : /^--(data-urlencode|variable)$/.test(name)
      ? /^[^=@]*@/
      : /^(-d|--data|--data-ascii|--data-binary|--json|--url-query|-b|--cookie|-H|--header|--proxy-header)$/.test(name)
        ? /^@/
        : undefined
  const found = mark?.exec(text)?.[0]
  return found === undefined ? undefined : argSuffix(value, found.length)
}

function readUpload(call: ProgramCall): void {
  for (const { name, value } of call.line.options) {
    const file = value && fileInValue(name, value)
    if (file === undefined) continue
    // `-F 'f=@a,b;type=x'`
    const isList = file.text !== null && /^(-F|--form)$/.test(name)
    const files = isList ? (file.text ?? '').split(/[;,]/).filter(part => !part.includes('=')) : undefined
    addFileActions(call, 'read', files?.map(literalArg) ?? [file])
  }
}

/** `curl file:///b` reads the file, and `curl -T a file:///b` writes it. */
function readFileUrl(call: ProgramCall, url: Arg): void {
  const { text, head } = url
  if (!/^file:/i.test(text ?? head)) return
  const action = hasOption(call, '-T --upload-file') ? 'write' : 'read'
  addFileAction(call, action, text === null ? UNKNOWN_ARG : literalArg(text.replace(/^file:(\/\/\w*)?/i, '')))
}

function readCurl(call: ProgramCall): void {
  const urls = [...call.line.operands]
  const folder = findOption(call, '--output-dir')?.value
  const inFolder = (arg: Arg): Arg =>
    folder === undefined
      ? arg
      : folder.text === null || arg.text === null
        ? folder
        : literalArg(`${folder.text}/${arg.text}`)
  for (const { name, value } of call.line.options) {
    if (name === '--url' && value !== undefined) urls.push(value)
    // `#1` stands for a part of the URL
    if ((name === '-o' || name === '--output') && value !== undefined)
      addFileAction(call, 'write', inFolder(value.text ? wildcardArg(value.text.replace(/#\d/g, '*')) : value))
  }
  const literally = hasOption(call, '-g --globoff')
  for (const url of urls) for (const one of literally ? [url] : expandCurlGlob(url)) addFetchAction(call, one)
  if (hasOption(call, '-O --remote-name --remote-name-all -J'))
    for (const url of urls) addFileAction(call, 'write', inFolder(downloadName(url)))
  readUpload(call)
  for (const url of urls) readFileUrl(call, url)
  readCurlConfig(call)
}

/** A line of a curl config file: `output = f`, `output: "f"`, `-o f`. */
const CONFIG_LINE = /^\s*(?!#)(-{0,2}[\w#-]+)\s*[=:]?\s*(?:"((?:[^"\\]|\\.)*)"|(\S*))/

/** `curl -K - <<< 'output=f'`: options from standard input count as if they were written in the command. */
function readCurlConfig(call: ProgramCall): void {
  for (const { name, value } of call.line.options)
    if (/^(-K|--config)$/.test(name) && !isStdin(value?.text)) addFileAction(call, 'read', value)
  const isGiven = call.line.options.some(({ name, value }) => /^(-K|--config)$/.test(name) && isStdin(value?.text))
  if (!isGiven || typeof call.stdin !== 'string') return
  const words = call.stdin.split('\n').flatMap(line => {
    const [, name, quoted, plain = ''] = CONFIG_LINE.exec(line) ?? []
    if (name === undefined) return []
    const value = quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1')
    return [name.startsWith('-') ? name : `--${name}`, ...(value === '' ? [] : [value])]
  })
  call.inner.push({ run: [literalArg('curl'), ...words.map(literalArg)] })
}

function readWget(call: ProgramCall): void {
  for (const url of call.line.operands) addFetchAction(call, url)
  if (hasOption(call, '--spider')) return
  const folder = findOption(call, '-P --directory-prefix')?.value
  // the list names the files too, as the last part of each address
  if (hasOption(call, '-i --input-file') && !hasOption(call, '-O --output-document'))
    addFolderWrite(call, folder ?? UNKNOWN_ARG)
  const file = findOption(call, '-O --output-document')
  if (file !== undefined) addFileAction(call, 'write', file.value)
  else addDownloads(call, folder ?? literalArg('.'))
}

/** Each download is saved under the last part of its URL. A server may choose another name, so the folder counts as written too. */
function addDownloads(call: ProgramCall, folder: Arg): void {
  addFileAction(call, 'write', folder)
  for (const url of call.line.operands) {
    const { text } = downloadName(url)
    if (text !== null && folder.text !== null) addFileAction(call, 'write', literalArg(`${folder.text}/${text}`))
  }
}

const HTTP_METHOD = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/i

function readHttpie(call: ProgramCall): void {
  const urls = call.line.operands.filter(arg => !HTTP_METHOD.test(arg.text ?? ''))
  const [url] = urls
  if (url !== undefined) addFetchAction(call, url)
  for (const arg of urls.slice(1)) {
    // `name@file`, `name=@file`, `name:=@file`, `@file`
    const found = /^[^@=:]*(?::?=)?@(?=.|$)/.exec(arg.text ?? arg.head)?.[0]
    if (found !== undefined) addFileAction(call, 'read', argSuffix(arg, found.length))
  }
}

const httpie: ProgramDescription = {
  flags: '-j -f -v -h -b -d --json --form --verbose --headers --body --download --ignore-stdin --offline',
  values: '-a --auth -A --auth-type --session --timeout --verify --proxy -p --print -s --style',
  writes: '-o --output',
  special: readHttpie,
}

export const NETWORK_PROGRAMS: Readonly<Record<string, ProgramDescription>> = {
  curl: {
    get flags() {
      return optionsOf('curl flags')
    },
    get values() {
      return optionsOf('curl values')
    },
    reads:
      '-T --upload-file -E --cert --key --cacert --netrc-file --capath --proxy-cert --proxy-key --proxy-cacert --crlfile --pubkey',
    writes: '-c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --libcurl --etag-save --hsts --alt-svc',
    runs: '-K --config --engine',
    special: readCurl,
  },
  wget: {
    get flags() {
      return optionsOf('wget flags')
    },
    get values() {
      return optionsOf('wget values')
    },
    reads: '-i --input-file --ca-certificate --post-file --body-file --load-cookies --certificate --private-key',
    writes: '-o -a --output-file --append-output --save-cookies --warc-file',
    // `-e` is a line of the configuration file
    runs: '--config --use-askpass -e --execute',
    special: readWget,
  },
  http: httpie,
  https: httpie,
  xh: httpie,
  xhs: httpie,
}
