{{/*
What runs, and what is true of each whatever the values say. One list, so that every template ranges over it.
  image      which of the five images            secret    whose Secret its environment is
  database   whose database it may reach         temporal  whether it talks to Temporal
  internet   whether it talks to the world       ports     what it listens on besides health
*/}}
{{- define "perch.components" -}}
gateway:
  { image: gateway, folder: gateway, secret: gateway, ports: { http: 3000, operator: 3001 } }
accounts:
  { image: accounts, folder: services/accounts, secret: accounts, database: accounts, role: serve, temporal: true, internet: true }
accounts-worker:
  { image: accounts, folder: services/accounts, secret: accounts, database: accounts, role: work, temporal: true, internet: true, worker: true }
posts:
  { image: posts, folder: services/posts, secret: posts, database: posts, role: serve, temporal: true }
posts-worker:
  { image: posts, folder: services/posts, secret: posts, database: posts, role: work, temporal: true, internet: true, worker: true }
credits:
  { image: credits, folder: services/credits, secret: credits, database: credits }
media:
  { image: media, folder: services/media, secret: media, database: media, s3: true, internet: true, ports: { bytes: 3010 } }
{{- end -}}

{{/* Who takes and gives bytes at the media service. */}}
{{- define "perch.mediaCallers" -}}
[gateway, accounts, accounts-worker]
{{- end -}}

{{- define "perch.healthPort" -}}9090{{- end -}}

{{- define "perch.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Of every pod of this release, whatever it runs. */}}
{{- define "perch.selector" -}}
app.kubernetes.io/name: perch
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "perch.labels" -}}
{{ include "perch.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "perch.image" -}}
{{- $root := index . 0 -}}
{{- with $root.Values.image.registry }}{{ trimSuffix "/" . }}/{{ end -}}
perch/{{ index . 1 }}:{{ $root.Values.image.tag | default $root.Chart.AppVersion }}
{{- end -}}

{{- define "perch.temporalAddress" -}}
{{- if .Values.temporal.address -}}
{{ .Values.temporal.address }}
{{- else if .Values.temporal.enabled -}}
{{ .Release.Name }}-temporal-frontend:7233
{{- else -}}
{{ fail "temporal.address is needed: host:port of Temporal's frontend" }}
{{- end -}}
{{- end -}}

{{/* What PodSecurity `restricted` asks of a pod. */}}
{{- define "perch.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "perch.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}
