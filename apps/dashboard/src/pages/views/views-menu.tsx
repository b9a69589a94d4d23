import type { SavedView, ViewList } from '@tributary/contract'
import { Bookmark, Check, Trash2, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useDeleteView, useViews } from '~/api/views.ts'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/controls/button.tsx'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '~/components/overlays/menu.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { SaveView } from './save-view.tsx'

export type ListState = { search: Record<string, string>; columns: string[] | null }

type Props = { list: ViewList; current: ListState; onApply: (view: SavedView) => void }

const fingerprint = ({ search, columns }: ListState) =>
  JSON.stringify([Object.entries(search).toSorted(), columns?.toSorted() ?? null])

/** Saved filters, sort order and columns of a list. */
export const ViewsMenu = ({ list, current, onApply }: Props) => {
  const { program, may } = useProgram()
  const { data: views = [] } = useViews(program.id, list)
  const [isSaving, setSaving] = useState(false)
  const [deleted, setDeleted] = useState<SavedView | null>(null)
  const active = views.find((view) => fingerprint(view) === fingerprint(current))
  const mayDelete = active && (active.shared ? may('program:update') : active.own)
  return (
    <>
      <Menu
        trigger={
          <button type="button" className={buttonClass({}, 'min-w-0 max-w-48')}>
            <Bookmark aria-hidden /> <span className="truncate">{active?.name ?? 'Views'}</span>
          </button>
        }
        className="max-w-72"
      >
        {views.length > 0 && <MenuLabel>Saved views</MenuLabel>}
        {views.map((view) => (
          <MenuItem key={view.id} onSelect={() => onApply(view)}>
            {view.shared ? <UsersRound aria-hidden /> : <Bookmark aria-hidden />}
            <span className="min-w-0 flex-1 truncate">{view.name}</span>
            {view.shared && <span className="sr-only">, shared</span>}
            {view === active && <Check aria-label="Current view" />}
          </MenuItem>
        ))}
        {views.length > 0 && <MenuSeparator />}
        <MenuItem onSelect={() => setSaving(true)}>
          <Bookmark aria-hidden /> Save current view
        </MenuItem>
        {mayDelete && (
          <MenuItem danger onSelect={() => setDeleted(active)}>
            <Trash2 aria-hidden /> <span className="min-w-0 truncate">Delete “{active.name}”</span>
          </MenuItem>
        )}
      </Menu>
      <SaveView list={list} current={current} open={isSaving} onOpenChange={setSaving} />
      {deleted && <DeleteView view={deleted} onClose={() => setDeleted(null)} />}
    </>
  )
}

const DeleteView = ({ view, onClose }: { view: SavedView; onClose: () => void }) => {
  const { program } = useProgram()
  const remove = useDeleteView(program.id)
  const confirm = () =>
    remove.mutate(view.id, {
      onSuccess: () => {
        toast.done(`View “${view.name}” deleted.`)
        onClose()
      },
    })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete the view “${view.name}”?`}
      confirm="Delete view"
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
    >
      {view.shared ? 'It disappears for everyone in your workspace. ' : ''}Nothing in the list changes.
    </ConfirmDialog>
  )
}
