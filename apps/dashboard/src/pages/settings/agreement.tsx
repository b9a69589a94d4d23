import type { AgreementStatus } from '@tributary/contract'
import { MAX_AGREEMENT_LENGTH } from '@tributary/contract/branding-limits'
import { useState } from 'react'
import { useCall, useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Field, Textarea } from '~/components/controls/field.tsx'
import { FormError, fieldError } from '~/components/controls/form.tsx'
import { Unsaved } from '~/components/controls/unsaved.tsx'
import { formatCount, formatDate } from '~/components/format/format.ts'
import { Markdown } from '~/components/markdown.tsx'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { Page } from '~/components/page.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'

export const AgreementSettings = () => {
  const { program, may } = useProgram()
  const agreement = useCall('get /api/programs/{programId}/agreement', { programId: program.id })
  const disabled = !may('program:update')
  return (
    <Page
      title="Agreement"
      description={
        disabled
          ? 'Your role can view these settings but not change them.'
          : 'The legal text that partners accept when they join.'
      }
    >
      <Card className="p-5">
        <fieldset disabled={disabled} className="flex min-w-0 flex-col gap-4">
          <legend className="sr-only">Agreement</legend>
          <QueryView
            query={agreement}
            loading={
              <Loading>
                <Skeleton className="h-40 w-full" />
              </Loading>
            }
          >
            {(status) => <AgreementForm key={status.current?.version ?? 0} status={status} disabled={disabled} />}
          </QueryView>
        </fieldset>
      </Card>
    </Page>
  )
}

const normalize = (text: string) => text.replaceAll('\r\n', '\n').trim()

type FormProps = { status: AgreementStatus; disabled: boolean }

const AgreementForm = ({ status, disabled }: FormProps) => {
  const { program } = useProgram()
  const save = useChange('put /api/programs/{programId}/agreement', { programId: program.id })
  const saved = normalize(status.current?.text ?? '')
  const [text, setText] = useState(saved)
  const [isPreviewing, setPreviewing] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  const isChanged = normalize(text) !== saved
  const words = wordsFor({ isFirst: !saved, isEmpty: !normalize(text) })
  // The new version replaces this form, and with it the callbacks of `mutate`.
  const publish = () =>
    void save.mutateAsync({ body: { text: normalize(text) || null } }).then(
      () => toast.done(normalize(text) ? 'Agreement published.' : 'Agreement removed.'),
      () => {},
    )
  return (
    <>
      <Field
        label="Agreement"
        optional
        hint="Limited Markdown: # headings, - lists, **bold**, *italic* and [links](https://example.com)."
        error={fieldError(save.error, 'text')}
      >
        {(wiring) => (
          <Textarea
            {...wiring}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            maxLength={MAX_AGREEMENT_LENGTH}
            className="min-h-60"
          />
        )}
      </Field>
      <p className="text-faint text-sm">{describe(status)}</p>
      <div className="flex flex-wrap justify-end gap-2">
        {normalize(text) && <Button onClick={() => setPreviewing(true)}>Preview</Button>}
        {!disabled && (
          <Button look="primary" disabled={!isChanged} onClick={() => setConfirming(true)}>
            {words.button}
          </Button>
        )}
      </div>
      <Dialog open={isPreviewing} onOpenChange={setPreviewing} title="Preview">
        <Markdown text={text} />
      </Dialog>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={words.title}
        confirm={words.button}
        danger={!normalize(text)}
        busy={save.isPending}
        error={save.error}
        onConfirm={publish}
      >
        {normalize(text)
          ? 'New partners must accept it before they join. The portal asks current partners to accept it, but doesn’t block them.'
          : 'Partners are no longer asked to accept anything. Earlier acceptances stay on record.'}
      </ConfirmDialog>
      <FormError error={isConfirming ? null : save.error} fields={['text']} />
      <Unsaved when={isChanged && !save.isPending} />
    </>
  )
}

const wordsFor = ({ isFirst, isEmpty }: { isFirst: boolean; isEmpty: boolean }) => {
  if (isFirst) return { button: 'Publish agreement', title: 'Publish the agreement?' }
  return isEmpty
    ? { button: 'Remove agreement', title: 'Remove the agreement?' }
    : { button: 'Publish new version', title: 'Publish a new version?' }
}

const describe = ({ current, accepted, partners }: AgreementStatus) =>
  current
    ? `Version ${current.version}, published ${formatDate(current.createdAt)}. Accepted by ${accepted} of ${formatCount(partners, 'approved partner')}.`
    : 'Until you publish an agreement, partners have nothing to accept.'
