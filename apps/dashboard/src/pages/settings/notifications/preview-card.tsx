import type { NotificationPreviews } from '@tributary/contract'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { useCall, useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card, CardHeader } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Select } from '~/components/controls/field.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { KIND_TEXT } from '~/components/notifications/kind-text.ts'
import { toast } from '~/components/overlays/toast.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { MailProblems } from './mail-problems.tsx'

/** Every email with sample data. */
export const PreviewCard = () => {
  const { program } = useProgram()
  const previews = useCall('get /api/programs/{programId}/notifications/previews', { programId: program.id })
  return (
    <Card weight="quiet">
      <CardHeader title="Email previews" description="Shown with sample data and your branding." />
      <QueryView
        query={previews}
        loading={
          <Loading className="p-5">
            <Skeleton className="h-80 w-full" />
          </Loading>
        }
      >
        {(loaded) => (
          <>
            <Preview loaded={loaded} />
            <MailProblems problems={loaded.problems} />
          </>
        )}
      </QueryView>
    </Card>
  )
}

const AUDIENCES = { team: 'To the team', partner: 'To partners' }

const Preview = ({ loaded: { previews, hasMail } }: { loaded: NotificationPreviews }) => {
  const [kind, setKind] = useState(previews[0]?.kind)
  const [form, setForm] = useState<'html' | 'text'>('html')
  const chosen = previews.find((preview) => preview.kind === kind) ?? previews[0]
  if (!chosen) return null
  return (
    <div className="flex flex-col gap-4 p-5">
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label="Email"
          value={chosen.kind}
          onChange={(event) => setKind(event.target.value as typeof chosen.kind)}
          className="w-full sm:w-64"
        >
          {(['team', 'partner'] as const).map((audience) => (
            <optgroup key={audience} label={AUDIENCES[audience]}>
              {previews
                .filter((preview) => preview.audience === audience)
                .map((preview) => (
                  <option key={preview.kind} value={preview.kind}>
                    {KIND_TEXT[preview.kind].label}
                  </option>
                ))}
            </optgroup>
          ))}
        </Select>
        <Segmented
          label="Format"
          value={form}
          options={[
            { value: 'html', label: 'HTML' },
            { value: 'text', label: 'Plain text' },
          ]}
          onChange={setForm}
        />
        {hasMail && <SampleButton kind={chosen.kind} />}
      </div>
      <p className="wrap-anywhere text-sm">
        <span className="text-faint">Subject:</span> <span className="font-medium">{chosen.subject}</span>
      </p>
      {form === 'html' ? (
        <iframe
          title="Preview of the email"
          sandbox=""
          srcDoc={chosen.html}
          className="h-96 w-full rounded-lg border border-line"
        />
      ) : (
        <pre className="wrap-anywhere whitespace-pre-wrap rounded-lg border border-line bg-sunken p-4 text-sm">
          {chosen.text}
        </pre>
      )}
    </div>
  )
}

const SampleButton = ({ kind }: { kind: NotificationPreviews['previews'][number]['kind'] }) => {
  const { program } = useProgram()
  const send = useChange(
    'post /api/programs/{programId}/notifications/test',
    { programId: program.id },
    { changes: [] },
  )
  const onSuccess = ({ email, mailed }: { email: string; mailed: boolean }) =>
    mailed ? toast.done(`Sample sent to ${email}.`) : toast.failed('The mail server did not accept the sample.')
  return (
    <Button busy={send.isPending} onClick={() => send.mutate({ body: { kind } }, { onSuccess, onError: toast.failed })}>
      <Send aria-hidden /> Send me a sample
    </Button>
  )
}
