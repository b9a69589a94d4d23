import type { AuditEntry } from '~/api/audit.ts'
import { Drawer } from '~/components/dialog.tsx'
import { Facts } from '~/components/facts.tsx'
import { formatTime } from '~/components/format.ts'
import { byWhom, capital, ofWhat } from './audit-words.ts'

type Props = { entry: AuditEntry | null; onClose: () => void }

/** One change: field by field, what it was and what it is. */
export const AuditPanel = ({ entry, onClose }: Props) => (
  <Drawer
    open={entry !== null}
    onOpenChange={onClose}
    title={entry ? `${capital(entry.action)}: ${ofWhat(entry)}` : ''}
  >
    {entry && (
      <div className="flex flex-col gap-6">
        <Facts
          facts={[
            // The name may have changed since, or be that of two.
            ...(entry.partnerName === null ? [] : [{ label: 'Of what', value: capital(entry.subject) }]),
            { label: 'Who', value: byWhom(entry) },
            { label: 'When', value: formatTime(entry.createdAt) },
          ]}
        />
        <Changes before={entry.before} after={entry.after} />
      </div>
    )}
  </Drawer>
)

const fieldsOf = (value: unknown): [name: string, value: unknown][] =>
  value && typeof value === 'object' ? Object.entries(value) : []

const shown = (value: unknown) =>
  value === undefined || value === null
    ? '–'
    : typeof value === 'object'
      ? JSON.stringify(value, null, 1)
      : String(value)

const Changes = ({ before, after }: Pick<AuditEntry, 'before' | 'after'>) => {
  const old = new Map(fieldsOf(before))
  const now = new Map(fieldsOf(after))
  // What an action says nothing about after it was not changed by it.
  const names = [...now.keys()].filter((name) => shown(old.get(name)) !== shown(now.get(name)))
  if (names.length === 0) return <p className="text-faint text-sm">Nothing else was written down.</p>
  return (
    <table className="w-full table-fixed border-collapse text-sm">
      <caption className="sr-only">What changed</caption>
      <thead>
        <tr className="border-line border-b text-left text-faint text-xs">
          <th scope="col" className="w-1/3 py-2 font-medium">
            Field
          </th>
          {before !== null && (
            <th scope="col" className="py-2 pr-3 font-medium">
              Before
            </th>
          )}
          <th scope="col" className="py-2 font-medium">
            After
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {names.map((name) => (
          <tr key={name} className="align-top">
            <th scope="row" className="break-words py-2 pr-3 text-left font-normal text-soft">
              {name}
            </th>
            {before !== null && <td className="break-words py-2 pr-3 text-faint">{shown(old.get(name))}</td>}
            <td className="break-words py-2">{shown(now.get(name))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
