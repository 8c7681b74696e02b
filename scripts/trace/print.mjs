/** The result for a person, or as JSON. */
export function print({ reply, phases, allMs, files, policy }, isJson) {
  if (isJson) {
    console.log(JSON.stringify({ reply, allMs, phases, files }, null, 2))
    return
  }
  console.log(`reply   exit ${reply.exitCode}  ${reply.stdout.trim() || '(nothing: no opinion)'}`)
  if (reply.stderr.trim() !== '') console.log(`stderr  ${reply.stderr.trim()}`)
  console.log(`policy  ${policy ?? 'none, so only the built-in gates; name yours with --policy signalbox.yaml'}`)
  console.log(`\nphases  ${allMs.toFixed(2)} ms an event, once warm`)
  for (const { name, ms } of phases) console.log(`  ${name.padEnd(20)} ${ms.toFixed(2).padStart(6)} ms`)
  console.log(`\nfiles   ${files.length} of ours have a function that ran`)
  for (const { path, functions } of files)
    console.log(`  ${path}  ${functions.slice(0, 6).join(', ')}${functions.length > 6 ? ', …' : ''}`)
}
