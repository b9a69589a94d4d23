import type { Group } from '@tributary/contract'
import { useState } from 'react'
import { ApiError } from '~/api/client.ts'
import { useSaveGroup } from '~/api/partners/groups.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input, Textarea } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { Drawer } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { type TierDraft, toTierDraft, toTierRule } from './tier-draft.ts'
import { TierFields } from './tier-fields.tsx'

type Props = {
  /** Null for a new group. */
  group: Group | null
  groups: Group[]
  open: boolean
  onClose: () => void
  onCreated: (group: Group) => void
}

export const GroupDrawer = ({ group, groups, open, onClose, onCreated }: Props) => (
  <Drawer
    open={open}
    onOpenChange={(isOpen) => !isOpen && onClose()}
    title={group ? `Edit group “${group.name}”` : 'Create group'}
  >
    <GroupForm group={group} groups={groups} onSaved={(saved) => (group ? onClose() : onCreated(saved))} />
  </Drawer>
)

const FIELDS = ['name', 'landingPages']

const linesOf = (text: string) => text.split(/\s+/).filter(Boolean)

/** An entry of the list has its own field name, such as `landingPages.0`. */
const pagesError = (error: unknown) =>
  error instanceof ApiError && error.field?.startsWith('landingPages.')
    ? `Each page ${error.message.replace(/^landingPages\.\d+ /, '')}`
    : fieldError(error, 'landingPages')

type FormProps = { group: Group | null; groups: Group[]; onSaved: (group: Group) => void }

const GroupForm = ({ group, groups, onSaved }: FormProps) => {
  const { program } = useProgram()
  const save = useSaveGroup(program.id, group?.id ?? null)
  const targets = groups.filter(({ id }) => id !== group?.id)
  const [tier, setTier] = useState<TierDraft>(toTierDraft(group?.tierRule ?? null, { targets, program }))
  const submit = (values: FormData) =>
    save.mutate(
      {
        name: formText(values, 'name'),
        landingPages: linesOf(formText(values, 'landingPages')),
        tierRule: toTierRule(tier),
      },
      {
        onSuccess: (saved) => {
          toast.done(
            group ? `Group “${saved.name}” saved.` : `Group “${saved.name}” created. Now choose its reward terms.`,
          )
          onSaved(saved)
        },
      },
    )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-5">
      <Field label="Name" hint="Partners don’t see this name." error={fieldError(save.error, 'name')}>
        {(wiring) => (
          <Input
            {...wiring}
            name="name"
            maxLength={60}
            placeholder="Gold"
            defaultValue={group?.name}
            required
            autoFocus
          />
        )}
      </Field>
      <Field
        label="Landing pages"
        optional
        hint="One page per line. Partners choose one of these pages when they create a link. The first is preselected."
        error={pagesError(save.error)}
      >
        {(wiring) => (
          <Textarea
            {...wiring}
            name="landingPages"
            placeholder={`${program.websites[0] ?? 'https://example.com'}/pricing`}
            defaultValue={group?.landingPages.join('\n')}
          />
        )}
      </Field>
      <TierFields tier={tier} targets={targets} onChange={setTier} />
      <FormError error={save.error} fields={pagesError(save.error) ? [...FIELDS, fieldName(save.error)] : FIELDS} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={save.isPending}>
          {group ? 'Save group' : 'Create group'}
        </Button>
      </div>
    </Form>
  )
}

const fieldName = (error: unknown) => (error instanceof ApiError ? (error.field ?? '') : '')
