import type { AuditEntry } from '@tributary/contract'
import { useProgram } from '~/app/program-context.ts'
import { Facts } from '~/components/facts/facts.tsx'
import { formatTime } from '~/components/format/format.ts'
import { Drawer } from '~/components/overlays/dialog.tsx'
import { listChanges } from './audit-fields.ts'
import { actionName, actorName, subjectId, subjectName } from './audit-text.ts'

type Props = { entry: AuditEntry | null; onClose: () => void }

export const AuditPanel = ({ entry, onClose }: Props) => (
  <Drawer
    open={entry !== null}
    onOpenChange={onClose}
    title={entry ? `${actionName(entry)}: ${subjectName(entry)}` : ''}
  >
    {entry && (
      <div className="flex flex-col gap-6">
        <Facts
          facts={[
            ...(entry.partnerName === null && entry.subjectName === null
              ? []
              : [{ label: 'Subject', value: subjectId(entry.subject) }]),
            { label: 'Who', value: actorName(entry) },
            { label: 'When', value: formatTime(entry.createdAt) },
          ]}
        />
        <Changes entry={entry} />
      </div>
    )}
  </Drawer>
)

const Changes = ({ entry }: { entry: AuditEntry }) => {
  const { program } = useProgram()
  const { before } = entry
  const changes = listChanges(entry, program.currency)
  if (changes.length === 0) return <p className="text-faint text-sm">No further details recorded.</p>
  return (
    <table className="w-full table-fixed border-collapse text-sm">
      <caption className="sr-only">Changes</caption>
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
        {changes.map((change) => (
          <tr key={change.name} className="align-top">
            <th scope="row" className="break-words py-2 pr-3 text-left font-normal text-soft">
              {change.label}
            </th>
            {before !== null && (
              <td className="whitespace-pre-wrap break-words py-2 pr-3 text-faint">{change.before}</td>
            )}
            <td className="whitespace-pre-wrap break-words py-2">{change.after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
