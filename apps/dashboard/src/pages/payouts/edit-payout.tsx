import type { Payout } from '@tributary/contract'
import { Pencil } from 'lucide-react'
import { useId, useState } from 'react'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Form, FormError } from '~/components/controls/form.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { LABEL_FIELDS, LabelFields, toLabels } from './create/label-fields.tsx'

export const EditPayout = ({ payout }: { payout: Payout }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Pencil aria-hidden /> Edit
      </Button>
      {isOpen && <EditDialog payout={payout} onClose={() => setOpen(false)} />}
    </>
  )
}

const EditDialog = ({ payout, onClose }: { payout: Payout; onClose: () => void }) => {
  const { program } = useProgram()
  const form = useId()
  const change = useChange('patch /api/programs/{programId}/payouts/{payoutId}', {
    programId: program.id,
    payoutId: payout.id,
  })
  const [labels, setLabels] = useState({ note: payout.note ?? '', reference: payout.reference ?? '' })
  const save = () =>
    change.mutate(
      { body: toLabels(labels) },
      {
        onSuccess: () => {
          toast.done('Payout saved.')
          onClose()
        },
      },
    )
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Edit payout ${payout.id}`}
      description="For your team. Partners don’t see the note or the reference."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} look="primary" busy={change.isPending}>
            Save payout
          </Button>
        </>
      }
    >
      <Form id={form} onSubmit={save}>
        <LabelFields labels={labels} onChange={setLabels} error={change.error} />
        <FormError error={change.error} fields={LABEL_FIELDS} />
      </Form>
    </Dialog>
  )
}
