import type { PolicyDetail, PolicyLayer } from '../../../../src/app/dashboard/api.ts'
import { CommandLine } from '../../parts/command-line.tsx'
import { Mode } from '../../parts/mode.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { TextWithCode } from '../../parts/text-with-code.tsx'
import { Time } from '../../parts/time.tsx'
import { href } from '../../route/route.ts'
import { pathInProject } from '../../words/name.ts'
import { plural } from '../../words/number.ts'

/** The policy files in force, highest priority first, with the gates of each. */
export function Layers({ policy }: { readonly policy: PolicyDetail }) {
  const known = new Set<string>(policy.layers.map(layer => layer.layer))
  const builtIn = policy.gates.filter(gate => !known.has(gate.layer))
  return (
    <Sheet title="Layers" about="highest priority first; a lower layer cannot allow what a higher one denies">
      <ol className="layers">
        {policy.layers.map(layer => (
          <Layer
            key={`${layer.layer} ${layer.file}`}
            layer={layer}
            root={policy.project}
            gates={policy.gates.filter(gate => gate.layer === layer.layer)}
          />
        ))}
        {builtIn.length > 0 && (
          <li>
            <p className="layer-head">
              <b>built-in</b>
              <span className="quiet">part of Signalbox, always enforced</span>
            </p>
            <GateNames gates={builtIn} />
          </li>
        )}
      </ol>
    </Sheet>
  )
}

const STATES = {
  active: 'in force',
  'last-good': 'broken: an older version is enforced',
  'left-out': 'broken: ignored',
  denies: 'broken: every call is denied',
}

interface Props {
  readonly layer: PolicyLayer
  readonly root: string
  readonly gates: PolicyDetail['gates']
}

function Layer({ layer, root, gates }: Props) {
  const isFine = layer.state === 'active'
  return (
    <li>
      <p className="layer-head">
        <b>{layer.layer}</b>
        {layer.layer === 'built-in' ? (
          <span className="quiet" title={layer.file}>
            part of Signalbox
          </span>
        ) : (
          <code title={layer.file}>{pathInProject(layer.file, root)}</code>
        )}
        <span className="tag" data-tone={isFine ? 'plain' : 'deny'}>
          {STATES[layer.state]}
          {layer.savedAt !== undefined && (
            <>
              , of <Time at={layer.savedAt} />
            </>
          )}
        </span>
        <span className="tag" data-tone={layer.untrusted.length > 0 ? 'ask' : 'plain'}>
          {layer.untrusted.length > 0
            ? `${plural(layer.untrusted.length, 'line')} not trusted`
            : layer.needsTrust.length > 0
              ? 'trusted'
              : 'no trust needed'}
        </span>
      </p>
      {layer.packs.length > 0 && (
        <p className="quiet">
          uses{' '}
          {layer.packs
            .map(({ id, options }) =>
              [id, ...Object.entries(options).map(([key, value]) => `${key}=${value}`)].join(' '),
            )
            .join(', ')}
        </p>
      )}
      <GateNames gates={gates} />
      {layer.untrusted.length > 0 && (
        <div className="inert">
          <p>These parts loosen the policy or run code, and are ignored until you trust the file:</p>
          <ul>
            {layer.untrusted.map(line => (
              <li key={line}>
                <TextWithCode text={line} />
              </li>
            ))}
          </ul>
          <CommandLine line="signalbox trust" />
        </div>
      )}
    </li>
  )
}

function GateNames({ gates }: { readonly gates: PolicyDetail['gates'] }) {
  if (gates.length === 0) return null
  return (
    <ul className="gate-names">
      {gates.map(gate => (
        <li key={gate.id}>
          <a href={href(['gates', gate.id])}>{gate.name}</a> <Mode mode={gate.mode} />{' '}
          <span className="quiet">{gate.routes > 0 ? plural(gate.routes, 'route') : plural(gate.rules, 'rule')}</span>
        </li>
      ))}
    </ul>
  )
}
