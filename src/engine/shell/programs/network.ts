import { type Arg, basename, isStdin, literalArg, UNKNOWN_ARG } from '../calls/argument.ts'
import type { ProgramDescription } from '../calls/program-call.ts'
import {
  addFetchAction,
  addFileAction,
  addFolderWrite,
  addOpaqueAction,
  findOption,
  hasOption,
  type ProgramCall,
} from '../calls/program-call.ts'
import { wildcardArg } from '../scope/path-resolution.ts'
import { expandCurlGlob } from './curl-glob.ts'

/** The file name a URL is saved under; its text is null if unknown. */
function downloadName(url: Arg): Arg {
  const path = url.text?.replace(/[?#].*$/, '').replace(/^[a-z+]+:\/\//i, '')
  return path?.includes('/') && !path.endsWith('/') ? literalArg(basename(path)) : { ...url, text: null }
}

/** `-d @file` and `-F name=@file` upload a file. */
function readUpload(call: ProgramCall): void {
  for (const { name, value } of call.line.options) {
    if (!/^(-d|-F|--data|--data-binary|--data-urlencode|--form|--json)$/.test(name)) continue
    const file = /(?:^|=)[@<](.*)$/.exec(value?.text ?? '')?.[1]
    if (file !== undefined && file !== '') addFileAction(call, 'read', literalArg(file.replace(/;.*$/, '')))
  }
}

/** `curl -T a file:///b` writes the file. */
function writeFileUrl(call: ProgramCall, { text, head }: Arg): void {
  if (!/^file:/i.test(text ?? head)) return
  if (text === null) addOpaqueAction(call)
  else addFileAction(call, 'write', literalArg(text.replace(/^file:(\/\/\w*)?/i, '')))
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
  if (hasOption(call, '-T --upload-file')) for (const url of urls) writeFileUrl(call, url)
  readCurlConfig(call)
}

/** A line of a curl config file: `output = f`, `output: "f"`, `-o f`. */
const CONFIG_LINE = /^\s*(?!#)(-{0,2}[\w#-]+)\s*[=:]?\s*(?:"((?:[^"\\]|\\.)*)"|(\S*))/

/** `curl -K - <<< 'output=f'`: options from standard input count as if they were written in the command. */
function readCurlConfig(call: ProgramCall): void {
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
    const file = /@(.+)$/.exec(arg.text ?? '')?.[1]
    if (file !== undefined) addFileAction(call, 'read', literalArg(file))
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
    flags:
      '-s -S -f -L -i -I -k -v -g -G -N -O -J -n -# -a -q -Z -0 -4 -6 --silent --show-error --fail --location --include --head --insecure --verbose --compressed --get --globoff --no-buffer --remote-name --remote-name-all --create-dirs',
    values:
      '-X --request -H --header -d --data --data-raw --data-binary --data-urlencode --json -F --form --form-string -u --user -A --user-agent -e --referer -b --cookie -m --max-time --connect-timeout --retry --retry-delay --retry-max-time -x --proxy -r --range -w --write-out --url --resolve --connect-to --limit-rate -o --output --output-dir -y -Y -z -C --oauth2-bearer --interface -t --aws-sigv4 --noproxy --max-redirs -P -Q --ciphers --doh-url --dns-servers --max-filesize --proto --proto-redir -U --proxy-user --pass --proxy-pass --proxy-header --tlsuser --tlspassword --proxy-tlsuser --proxy-tlspassword --login-options --preproxy --socks5 --socks5-hostname --socks4 --socks4a',
    reads: '-T --upload-file -E --cert --key --cacert --netrc-file --capath',
    writes: '-c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --libcurl --etag-save --hsts --alt-svc',
    runs: '-K --config --engine',
    special: readCurl,
  },
  wget: {
    flags:
      '-q -v -c -N -r -p -k -m -nc -nv -nd -np -nH -S -4 -6 -b -L --quiet --continue --recursive --mirror --spider --no-check-certificate --show-progress',
    values:
      '-O --output-document -P --directory-prefix -U --user-agent --header --post-data --body-data --method -t --tries -T --timeout -w --wait -l --level -A -R -D --user --password --http-user --http-password --ftp-user --ftp-password --proxy-user --proxy-password --limit-rate -Q --referer --base -B',
    reads: '-i --input-file --post-file --body-file --load-cookies --certificate --private-key',
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
