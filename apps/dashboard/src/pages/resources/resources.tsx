import type { Resource } from '@tributary/contract'
import { Download, FolderOpen, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { addressOf, useCall, useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Button, buttonClass } from '~/components/controls/button.tsx'
import { formatBytes, formatDate } from '~/components/format/format.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { MenuItem, RowMenu } from '~/components/overlays/menu.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { Page } from '~/components/page.tsx'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { EmptyState, QueryView } from '~/components/states.tsx'
import { EditResource } from './edit-resource.tsx'
import { UploadButton } from './upload-button.tsx'

const LIST = '/api/programs/{programId}/resources'
const ONE = `${LIST}/{resourceId}` as const

/** What is being edited: a new text, or a resource. */
type Editing = Resource | 'new text' | null

export const Resources = () => {
  const { program, may } = useProgram()
  const resources = useCall(`get ${LIST}`, { programId: program.id })
  const [editing, setEditing] = useState<Editing>(null)
  const actions = may('program:update') && (
    <>
      <UploadButton />
      <Button look="primary" onClick={() => setEditing('new text')}>
        <Plus aria-hidden /> Add text
      </Button>
    </>
  )
  return (
    <Page
      title="Resources"
      description="Texts to copy and files that approved partners find in the portal. In a text, {link} becomes the partner’s own link."
      actions={resources.data?.data.length ? actions : undefined}
    >
      <Card>
        <QueryView
          query={resources}
          loading={<SkeletonRows rows={3} />}
          isEmpty={({ data }) => data.length === 0}
          empty={
            <EmptyState icon={<FolderOpen />} title="No resources yet" action={actions}>
              Add texts that partners can copy, with their own link filled in, or upload logos, banners and documents.
            </EmptyState>
          }
        >
          {({ data }) => (
            <ul className="divide-y divide-line">
              {data.map((resource) => (
                <ResourceRow key={resource.id} resource={resource} onEdit={() => setEditing(resource)} />
              ))}
            </ul>
          )}
        </QueryView>
      </Card>
      <EditResource
        key={editing === null || editing === 'new text' ? editing : editing.id}
        resource={editing === 'new text' ? null : editing}
        open={editing !== null}
        onClose={() => setEditing(null)}
      />
    </Page>
  )
}

const ResourceRow = ({ resource, onEdit }: { resource: Resource; onEdit: () => void }) => {
  const { program, may } = useProgram()
  const { id, title, body, fileName, sizeBytes, createdAt } = resource
  return (
    <li className="flex items-start justify-between gap-4 px-5 py-4">
      <div className="min-w-0">
        <h2 className="wrap-anywhere font-medium text-sm">{title}</h2>
        <p className="wrap-anywhere mt-0.5 text-faint text-xs">
          {fileName === null ? 'Text' : `${fileName} · ${formatBytes(sizeBytes ?? 0)}`} · Added {formatDate(createdAt)}
        </p>
        {body !== null && (
          <p className="wrap-anywhere mt-2 line-clamp-3 whitespace-pre-line text-soft text-sm">{body}</p>
        )}
      </div>
      <div className="flex shrink-0 items-center gap-1">
        {fileName !== null && (
          <a
            href={addressOf(`get ${ONE}/file`, { programId: program.id, resourceId: id })}
            download
            aria-label={`Download ${title}`}
            className={buttonClass({ look: 'quiet', size: 'icon' })}
          >
            <Download aria-hidden />
          </a>
        )}
        {may('program:update') && <ResourceActions resource={resource} onEdit={onEdit} />}
      </div>
    </li>
  )
}

const ResourceActions = ({ resource: { id, title }, onEdit }: { resource: Resource; onEdit: () => void }) => {
  const { program } = useProgram()
  const remove = useChange(`delete ${ONE}`, { programId: program.id, resourceId: id })
  const [isRemoving, setRemoving] = useState(false)
  return (
    <>
      <RowMenu label={`Actions for ${title}`}>
        <MenuItem onSelect={onEdit}>
          <Pencil aria-hidden /> Edit
        </MenuItem>
        <MenuItem danger onSelect={() => setRemoving(true)}>
          <Trash2 aria-hidden /> Remove
        </MenuItem>
      </RowMenu>
      <ConfirmDialog
        open={isRemoving}
        onOpenChange={setRemoving}
        title={`Remove “${title}”?`}
        confirm="Remove resource"
        danger
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          void remove.mutateAsync({}).then(
            () => toast.done('Resource removed.'),
            () => {},
          )
        }
      >
        Partners can no longer see or download it. This can’t be undone.
      </ConfirmDialog>
    </>
  )
}
