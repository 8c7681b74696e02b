import { hostname } from 'node:os'
import { type Delivery, followAuditLog, parseCollector, type RecordFilter, Shipment } from '../../../../audit/index.ts'
import { foldersOf } from '../../../../hook/index.ts'
import { AuditLogReader } from '../../../../store/index.ts'
import type { ExitCode, Terminal } from '../../command.ts'

interface ShipOptions {
  readonly filter: RecordFilter
  readonly stays: boolean
  readonly signal: AbortSignal
  readonly version: string
}

/** Sends the audit log to a collector. Returns an error text when it cannot start. */
export async function shipToCollector(
  endpoint: string | undefined,
  { stays, ...how }: ShipOptions,
  { env, out, err }: Terminal,
): Promise<ExitCode | string> {
  const collector = parseCollector(endpoint, env)
  if (typeof collector === 'string') return collector
  const { state } = foldersOf(env)
  const printLine = (line: string): void => err(`${line}\n`)
  if (!stays && !hasAuditLog(state)) {
    out('Nothing is recorded yet. Nothing was sent.\n')
    return 0
  }
  const resource = { 'host.name': hostname(), 'service.version': how.version, ...collector.resource }
  const shipment = new Shipment({ ...how, state, collector: { ...collector, resource }, stays, log: printLine })
  const lock = shipment.lock()
  if (!lock) return `another process is already sending to ${collector.name}; this one sent nothing`
  try {
    const ended = stays ? await shipContinuously(state, shipment, how.signal) : await shipOnce(state, shipment)
    return reportShipment(shipment, ended, collector.name, out, err)
  } finally {
    lock.release()
  }
}

function hasAuditLog(state: string): boolean {
  const reader = AuditLogReader.open(state)
  reader?.close()
  return reader !== undefined
}

interface ShipResult {
  readonly delivery: Delivery
  readonly waiting: number
}

async function shipOnce(state: string, shipment: Shipment): Promise<ShipResult> {
  const reader = AuditLogReader.open(state)
  if (!reader) return { delivery: { kind: 'sent' }, waiting: 0 }
  try {
    const delivery = await shipment.send(reader)
    return { delivery, waiting: shipment.waiting(reader) }
  } finally {
    reader.close()
  }
}

async function shipContinuously(state: string, shipment: Shipment, signal: AbortSignal): Promise<ShipResult> {
  const refused = new AbortController()
  const end = (): void => refused.abort()
  signal.addEventListener('abort', end)
  let ended: ShipResult = { delivery: { kind: 'sent' }, waiting: 0 }
  await followAuditLog(state, refused.signal, async reader => {
    const delivery = await shipment.send(reader)
    ended = { delivery, waiting: shipment.waiting(reader) }
    if (delivery.kind === 'refused') refused.abort()
  })
  return ended
}

function reportShipment(
  { sent, rejected, lost }: Shipment,
  { delivery, waiting }: ShipResult,
  name: string,
  out: (text: string) => void,
  err: (text: string) => void,
): ExitCode {
  const records = (n: number): string => `${n.toLocaleString('en')} ${n === 1 ? 'record' : 'records'}`
  out(`${records(sent)} sent to ${name}\n`)
  if (delivery.kind === 'sent' || delivery.kind === 'ended') return rejected > 0 || lost > 0 ? 1 : 0
  const next = delivery.kind === 'down' ? 'try again later' : 'check the address and OTEL_EXPORTER_OTLP_HEADERS'
  err(`signalbox audit export: ${delivery.why}\n${records(waiting)} not sent yet: ${next}\n`)
  return delivery.kind === 'down' ? 1 : 2
}
