import type { ApiKey } from '@tributary/contract'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Select } from '~/components/controls/field.tsx'
import { Form, FormError } from '~/components/controls/form.tsx'
import { formatTime } from '~/components/format/format.ts'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { ShownOnce } from '~/components/shown-once.tsx'
import { KEY_ADVICE } from './create-key.tsx'

const GRACE = [
  { minutes: 0, label: 'Stops working immediately' },
  { minutes: 60, label: 'Works for another hour' },
  { minutes: 1_440, label: 'Works for another day' },
  { minutes: 10_080, label: 'Works for another week' },
]

type Props = { apiKey: ApiKey | null; onClose: () => void }

/** Rendered by the page, because the old key's row loses its actions while the new key is shown. */
export const RotateKey = ({ apiKey, onClose }: Props) => (
  <Dialog open={apiKey !== null} onOpenChange={onClose} title={`Rotate the key “${apiKey?.name}”?`}>
    {apiKey && <RotateForm apiKey={apiKey} onDone={onClose} />}
  </Dialog>
)

const RotateForm = ({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) => {
  const { program } = useProgram()
  const known = { programId: program.id, keyId: apiKey.id }
  const rotate = useChange('post /api/programs/{programId}/api-keys/{keyId}/rotate', known, { gcTime: 0 })
  if (rotate.data) {
    const { key, previous } = rotate.data
    return (
      <div className="flex flex-col gap-4">
        {previous.revokedAt && (
          <p className="text-soft text-sm">The old key stops working on {formatTime(previous.revokedAt)}.</p>
        )}
        <ShownOnce secret={key} noun="key" onDone={onDone}>
          {KEY_ADVICE}
        </ShownOnce>
      </div>
    )
  }
  return (
    <Form
      onSubmit={(values) => rotate.mutate({ body: { graceMinutes: Number(values.get('graceMinutes')) } })}
      className="flex flex-col gap-4"
    >
      <p className="text-soft text-sm">
        This creates a new key with the same name. Deploy the new key while the old one still works.
      </p>
      <Field label="Old key">
        {(wiring) => (
          <Select {...wiring} name="graceMinutes" defaultValue={60}>
            {GRACE.map(({ minutes, label }) => (
              <option key={minutes} value={minutes}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <FormError error={rotate.error} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={rotate.isPending}>
          Rotate key
        </Button>
      </div>
    </Form>
  )
}
