import { type Arg, basename, literal } from '../arg.ts'
import { type Call, fetchUrl, find, has, touch } from '../call.ts'
import type { Description } from '../description.ts'
import { curlUrls } from './curl-glob.ts'

/** The name a URL is saved under, or null. */
function savedName(url: Arg): Arg {
  const path = url.text?.replace(/[?#].*$/, '').replace(/^[a-z+]+:\/\//i, '')
  return path?.includes('/') && !path.endsWith('/') ? literal(basename(path)) : { ...url, text: null }
}

/** `-d @file` and `-F name=@file` send a file. */
function readUpload(call: Call): void {
  for (const { name, value } of call.line.options) {
    if (!/^(-d|-F|--data|--data-binary|--data-urlencode|--form|--json)$/.test(name)) continue
    const file = /(?:^|=)[@<](.*)$/.exec(value?.text ?? '')?.[1]
    if (file !== undefined && file !== '') touch(call, 'read', literal(file.replace(/;.*$/, '')))
  }
}

function readCurl(call: Call): void {
  const urls = [...call.line.operands]
  const folder = find(call, '--output-dir')?.value
  const inFolder = (arg: Arg): Arg =>
    folder === undefined
      ? arg
      : folder.text === null || arg.text === null
        ? folder
        : literal(`${folder.text}/${arg.text}`)
  for (const { name, value } of call.line.options) {
    if (name === '--url' && value !== undefined) urls.push(value)
    if ((name === '-o' || name === '--output') && value !== undefined) touch(call, 'write', inFolder(value))
  }
  const literally = has(call, '-g --globoff')
  for (const url of urls) for (const one of literally ? [url] : curlUrls(url)) fetchUrl(call, one)
  if (has(call, '-O --remote-name --remote-name-all -J'))
    for (const url of urls) touch(call, 'write', inFolder(savedName(url)))
  readUpload(call)
}

function readWget(call: Call): void {
  for (const url of call.line.operands) fetchUrl(call, url)
  if (has(call, '--spider')) return
  const file = find(call, '-O --output-document')
  if (file !== undefined) touch(call, 'write', file.value)
  else saveBelow(call, find(call, '-P --directory-prefix')?.value ?? literal('.'))
}

/** Each under the last part of its URL; a server may give another name. */
function saveBelow(call: Call, folder: Arg): void {
  touch(call, 'write', folder)
  for (const url of call.line.operands) {
    const { text } = savedName(url)
    if (text !== null && folder.text !== null) touch(call, 'write', literal(`${folder.text}/${text}`))
  }
}

const METHOD = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/i

function readHttpie(call: Call): void {
  const urls = call.line.operands.filter(arg => !METHOD.test(arg.text ?? ''))
  const [url] = urls
  if (url !== undefined) fetchUrl(call, url)
  for (const arg of urls.slice(1)) {
    const file = /@(.+)$/.exec(arg.text ?? '')?.[1]
    if (file !== undefined) touch(call, 'read', literal(file))
  }
}

const httpie: Description = {
  flags: '-j -f -v -h -b -d --json --form --verbose --headers --body --download --ignore-stdin --offline',
  values: '-a --auth -A --auth-type --session --timeout --verify --proxy -p --print -s --style',
  writes: '-o --output',
  special: readHttpie,
}

export const NET: Readonly<Record<string, Description>> = {
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
      '-O --output-document -P --directory-prefix -U --user-agent --header --post-data --body-data --method -t --tries -T --timeout -w --wait -l --level -A -R -D -e --user --password --http-user --http-password --ftp-user --ftp-password --proxy-user --proxy-password --limit-rate -Q --referer --base -B',
    reads: '-i --input-file --post-file --body-file --load-cookies --certificate --private-key',
    writes: '-o -a --output-file --append-output --save-cookies --warc-file',
    runs: '--config --use-askpass --execute',
    special: readWget,
  },
  http: httpie,
  https: httpie,
  xh: httpie,
  xhs: httpie,
}
