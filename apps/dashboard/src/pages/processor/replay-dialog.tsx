import { useRef, useState } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field } from '~/components/controls/field.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { DateField } from '~/components/dates/date-field.tsx'
import { formatCount } from '~/components/format/format.ts'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { Progress } from '~/components/progress.tsx'
import { ReplayResult } from './replay-result.tsx'
import { useReplay } from './use-replay.ts'

const DAY_MS = 86_400_000
const utcDaysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

type Props = { open: boolean; onOpenChange: (open: boolean) => void }

/** Reprocesses stored events: first as a dry run, then for real. */
export const ReplayDialog = ({ open, onOpenChange }: Props) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title="Replay events"
    description="Process stored events again. A preview shows what would change before anything is saved."
  >
    {open && <Replay onClose={() => onOpenChange(false)} />}
  </Dialog>
)

const Replay = ({ onClose }: { onClose: () => void }) => {
  const { program } = useProgram()
  const replay = useReplay(program.id)
  const [since, setSince] = useState(() => utcDaysAgo(30))
  const abort = useRef(new AbortController())
  const run = (dryRun: boolean) => replay.mutate({ since, dryRun, signal: abort.current.signal })
  const close = () => {
    abort.current.abort()
    onClose()
  }
  const result = replay.data
  const canReplay = result?.dryRun === true && result.changes.length + result.changedSales.length > 0
  return (
    <div className="flex flex-col gap-4">
      <Field label="Events since" hint="The processor’s date of the event, in UTC.">
        {(wiring) => (
          <DateField
            {...wiring}
            value={since}
            required
            disabled={replay.isPending}
            onChange={(day) => {
              setSince(day)
              replay.reset()
            }}
          />
        )}
      </Field>
      <FormError error={replay.error} />
      {replay.isPending && <Progress label="Events processed" progress={replay.progress} noun="events" />}
      {result && <ReplayResult result={result} />}
      <footer className="flex flex-wrap justify-end gap-2">
        <Button onClick={close}>{result && !canReplay ? 'Done' : 'Cancel'}</Button>
        {canReplay ? (
          <Button look="primary" onClick={() => run(false)}>
            Replay {formatCount(result.events, 'event')}
          </Button>
        ) : (
          !result && (
            <Button look="primary" busy={replay.isPending} disabled={!since} onClick={() => run(true)}>
              Preview changes
            </Button>
          )
        )}
      </footer>
    </div>
  )
}
