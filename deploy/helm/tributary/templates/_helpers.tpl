{{- define "tributary.name" -}}
{{- printf "%s" .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "tributary.selector" -}}
app.kubernetes.io/name: tributary
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "tributary.labels" -}}
{{ include "tributary.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end -}}

{{- define "tributary.isExternal" -}}
{{- if has "database-url" .Values.secrets.keys -}}true{{- end -}}
{{- end -}}
