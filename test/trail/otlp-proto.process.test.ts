import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { buildOtlpRequest } from '../../src/audit/export/otlp.ts'
import { denied } from '../support/store/audit-records.ts'
import { NOW, recordOf } from '../support/store/records.ts'

/** OpenTelemetry's own classes, and protobuf's own reader of JSON, which takes no field that it does not know. `pip install opentelemetry-proto`. */
const DECODE = `
import sys, json
from google.protobuf.json_format import Parse
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest as Request
request = Request.FromString(Parse(sys.stdin.read(), Request()).SerializeToString())
def value(v):
    kind = v.WhichOneof('value')
    if kind == 'array_value': return [value(one) for one in v.array_value.values]
    if kind == 'kvlist_value': return {one.key: value(one.value) for one in v.kvlist_value.values}
    return getattr(v, kind)
print(json.dumps([{
    'service': {one.key: value(one.value) for one in logs.resource.attributes}['service.name'],
    'scope': scope.scope.name, 'time': str(log.time_unix_nano), 'severity': log.severity_number, 'event': log.event_name,
    'body': value(log.body), **{one.key: value(one.value) for one in log.attributes},
} for logs in request.resource_logs for scope in logs.scope_logs for log in scope.log_records]))
`
const python = (input: string) => spawnSync('python3', ['-c', DECODE], { input, encoding: 'utf8' })
const isThere = python('{}').status === 0

it.runIf(isThere)('a request is read by OpenTelemetry itself, and says what was meant', () => {
  const records = [
    recordOf({ at: NOW, ms: 1.5 }),
    recordOf({ ...denied('g'), at: NOW + 1, notes: ['half \ud800'], errors: ['e'], reason: 'Do not “push”.' }),
  ]
  const rows = records.map((record, nth) => ({
    seq: nth + 1,
    hash: String(nth).repeat(64),
    json: JSON.stringify(record),
  }))
  const broken = { seq: 3, hash: '3'.repeat(64), json: '{' }
  const request = buildOtlpRequest(
    [...rows, broken],
    { attributes: { 'service.name': 'signalbox' }, version: '1' },
    NOW,
  )
  const { stdout, stderr } = python(JSON.stringify(request))
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toMatchObject([
    {
      service: 'signalbox',
      scope: 'signalbox',
      time: `${NOW}000000`,
      severity: 9,
      event: 'signalbox.tool.before',
      body: 'pass git status',
      'log.record.uid': '0'.repeat(64),
      'signalbox.seq': 1,
      'signalbox.turn': 1,
      'signalbox.acts': ['run git status'],
      'signalbox.duration_ms': 1.5,
    },
    {
      severity: 17,
      body: 'DENY git status',
      'signalbox.reason': 'Do not “push”.',
      'signalbox.matches': [{ gate: 'project/g', rule: 'r', decision: 'deny', effect: 'deny', mode: 'block' }],
      'signalbox.notes': ['half \ufffd'],
    },
    { severity: 17, body: 'record 3 cannot be read', 'signalbox.raw': '{' },
  ])
})
