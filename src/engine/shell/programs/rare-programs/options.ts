/** Long lists of options, by program and kind. */
export const OPTIONS: Readonly<Record<string, string>> = {
  'curl flags':
    '-s -S -f -L -i -I -k -v -g -G -N -O -J -n -# -a -q -Z -0 -4 -6 --silent --show-error --fail --location --include --head --insecure --verbose --compressed --get --globoff --no-buffer --remote-name --remote-name-all --create-dirs',
  'wget flags':
    '-q -v -c -N -r -p -k -m -nc -nv -nd -np -nH -S -4 -6 -b -L --quiet --continue --recursive --mirror --spider --no-check-certificate --show-progress',
  'curl values':
    '-X --request -H --header -d --data --data-raw --data-binary --data-urlencode --variable --json -F --form --form-string -u --user -A --user-agent -e --referer -b --cookie -m --max-time --connect-timeout --retry --retry-delay --retry-max-time -x --proxy -r --range -w --write-out --url --resolve --connect-to --limit-rate -o --output --output-dir --url-query --data-ascii -y -Y -z -C --oauth2-bearer --interface -t --aws-sigv4 --noproxy --max-redirs -P -Q --ciphers --doh-url --dns-servers --max-filesize --proto --proto-redir -U --proxy-user --pass --proxy-pass --proxy-header --tlsuser --tlspassword --proxy-tlsuser --proxy-tlspassword --login-options --preproxy --socks5 --socks5-hostname --socks4 --socks4a',
  'wget values':
    '-O --output-document -P --directory-prefix -U --user-agent --header --post-data --body-data --method -t --tries -T --timeout -w --wait -l --level -A -R -D --user --password --http-user --http-password --ftp-user --ftp-password --proxy-user --proxy-password --limit-rate -Q --referer --base -B',
  'cargo values':
    '-p --package -j --jobs --features --target --target-dir --manifest-path --bin --example --test --profile --color -Z -C --config',
  'cargo flags':
    '-q -v --release --all --workspace --all-targets --all-features --locked --offline --no-run --lib --bins',
  'go values':
    '-run -skip -list -bench -count -timeout -o -tags -ldflags -gcflags -coverprofile -covermode -coverpkg -C -mod -modfile -overlay -parallel -p -cpu -shuffle -exec -toolexec -vettool -vet',
  'terraform values':
    '-chdir -var -var-file -target -replace -out -state -state-out -backup -lock -input -refresh -parallelism -plugin-dir',
  'terraform flags':
    '-help -version -json -no-color -compact-warnings -auto-approve -destroy -refresh-only -detailed-exitcode',
  'rsync values':
    '-e --rsh --rsync-path --exclude --include -f --filter --bwlimit --chmod --max-size --info --link-dest',
  'rsync reads': '--exclude-from --include-from --files-from --password-file --compare-dest --copy-dest',
  'rsync writes': '--write-batch --only-write-batch --log-file --backup-dir --partial-dir -T --temp-dir',
  'man flags': '-a -f -k -K -w -W -u -l -i -I -7 --all --where --whatis --apropos',
  'man values': '-S -s -M -L -m -e --sections --manpath --locale',
  'man runs': '-P --pager -r --prompt -C --config-file -p --preprocessor -T --troff-device',
  'ping flags': '-n -q -v -4 -6 -D -O -a -d -r -R -L',
  'ping values': '-c -i -I -l -m -M -p -Q -s -S -t -w -W -T -G -g -h -F -N',
}
