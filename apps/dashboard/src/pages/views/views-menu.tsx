import type { SavedView, ViewList } from '@tributary/contract'
import { Bookmark, Check, Pencil, Save, Trash2, UsersRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useCall, useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/controls/button.tsx'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '~/components/overlays/menu.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { RenameView, SaveView } from './save-view.tsx'

export type ListState = { search: Record<string, string>; columns: string[] | null }

type Props = { list: ViewList; current: ListState; onApply: (view: SavedView) => void }

const fingerprint = ({ search, columns }: ListState) =>
  JSON.stringify([Object.entries(search).toSorted(), columns?.toSorted() ?? null])

const isPlain = ({ search, columns }: ListState) => Object.keys(search).length === 0 && columns === null

/** The view that was opened last, also after its filters were changed, until all of them are cleared. */
const useOpenView = (views: SavedView[], current: ListState) => {
  const [lastId, setLastId] = useState<number | null>(null)
  const same = views.find((view) => fingerprint(view) === fingerprint(current))
  useEffect(() => {
    if (same) setLastId(same.id)
    else if (isPlain(current)) setLastId(null)
  })
  const open = same ?? (isPlain(current) ? undefined : views.find(({ id }) => id === lastId))
  return { open, isChanged: open !== undefined && !same }
}

/** Saved filters, sort order and columns of a list. */
export const ViewsMenu = ({ list, current, onApply }: Props) => {
  const { program, may } = useProgram()
  const { data: saved } = useCall('get /api/programs/{programId}/views', { programId: program.id, query: { list } })
  const views = saved?.data ?? []
  const change = useChange('patch /api/programs/{programId}/views/{viewId}', { programId: program.id })
  const [isSaving, setSaving] = useState(false)
  const [renamed, setRenamed] = useState<SavedView | null>(null)
  const [deleted, setDeleted] = useState<SavedView | null>(null)
  const { open, isChanged } = useOpenView(views, current)
  const mayChange = open && (open.shared ? may('program:update') : open.own)
  const saveChanges = (view: SavedView) =>
    change.mutate(
      { viewId: view.id, body: current },
      { onSuccess: ({ name }) => toast.done(`View “${name}” updated.`), onError: toast.failed },
    )
  return (
    <>
      <Menu
        trigger={
          <button type="button" className={buttonClass({}, 'min-w-0 max-w-64')}>
            <Bookmark aria-hidden /> <span className="truncate">{open?.name ?? 'Views'}</span>
            {isChanged && <span className="shrink-0 text-faint">(changed)</span>}
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
            {view === open && !isChanged && <Check aria-label="Current view" />}
          </MenuItem>
        ))}
        {views.length > 0 && <MenuSeparator />}
        {mayChange && isChanged && (
          <MenuItem onSelect={() => saveChanges(open)}>
            <Save aria-hidden /> <span className="min-w-0 truncate">Save changes to “{open.name}”</span>
          </MenuItem>
        )}
        <MenuItem onSelect={() => setSaving(true)}>
          <Bookmark aria-hidden /> {isChanged ? 'Save as new view' : 'Save current view'}
        </MenuItem>
        {mayChange && (
          <>
            <MenuItem onSelect={() => setRenamed(open)}>
              <Pencil aria-hidden /> <span className="min-w-0 truncate">Rename “{open.name}”</span>
            </MenuItem>
            <MenuItem danger onSelect={() => setDeleted(open)}>
              <Trash2 aria-hidden /> <span className="min-w-0 truncate">Delete “{open.name}”</span>
            </MenuItem>
          </>
        )}
      </Menu>
      <SaveView list={list} current={current} open={isSaving} onOpenChange={setSaving} />
      {renamed && <RenameView view={renamed} onClose={() => setRenamed(null)} />}
      {deleted && <DeleteView view={deleted} onClose={() => setDeleted(null)} />}
    </>
  )
}

const DeleteView = ({ view, onClose }: { view: SavedView; onClose: () => void }) => {
  const { program } = useProgram()
  const remove = useChange('delete /api/programs/{programId}/views/{viewId}', {
    programId: program.id,
    viewId: view.id,
  })
  const confirm = () =>
    remove.mutate(
      {},
      {
        onSuccess: () => {
          toast.done(`View “${view.name}” deleted.`)
          onClose()
        },
      },
    )
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
