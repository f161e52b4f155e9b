/**
 * German sentences with the values of an error, by its code. Where a value is missing, the sentence
 * in `errors.de.ts` is shown. `fill-params.ts` says how values are written.
 */
export const errorsWithParams: Record<string, string> = {
  too_many_pages:
    "Höchstens {max} Seiten lassen sich in der Minute öffnen. Warten Sie {seconds} Sekunden.",
  file_field_refused:
    "Das Feld „{field}“ fehlt oder hat einen Wert, der hier nicht beachtet wird. Prüfen Sie es.",
  vector_store_full:
    "Ein Vektorspeicher hat höchstens {max} Dateien, die in anderen Ordnern liegen oder Attribute haben. Benutzen Sie einen anderen.",
  too_many_scim_tokens:
    "Ihre Organisation hat {max} SCIM-Token, mehr sind nicht möglich. Widerrufen Sie zuerst eines.",
  mcp_client_document:
    "Was {host} über das Programm sagt, ist nicht zu gebrauchen: Das Dokument fehlt oder ist falsch. Fragen Sie den Hersteller.",
  mcp_request_invalid:
    "Das Programm fragt nicht sicher oder nicht für diesen Server: Es muss {wanted} senden. Aktualisieren Sie es.",
  scim_limited:
    "Ein SCIM-Token darf {max}-mal in der Minute fragen. Versuchen Sie es in {seconds} erneut.",
  scim_member_unknown:
    "Einen Benutzer oder eine Gruppe „{id}“ gibt es hier nicht. Stellen Sie das Mitglied zuerst bereit.",
  scim_filter_invalid: "Der Filter ist nicht gültig. Prüfen Sie ihn: {reason}.",
  scim_path_invalid:
    "Der Pfad „{path}“ nennt kein Attribut. Prüfen Sie ihn; GET /scim/v2/Schemas nennt die Attribute.",
  scim_read_only: "Das Attribut „{attribute}“ lässt sich nicht ändern. Lassen Sie es weg.",
  scim_value_invalid: "Der Wert von „{attribute}“ ist nicht gültig: {reason}.",
  web_search_not_set_up:
    "Im Web lässt sich nicht suchen: Es ist keine Suchmaschine eingerichtet. Bitten Sie Ihre Administration, unter Werkzeugserver eine hinzuzufügen, oder um eine dieser Einstellungen: {settings}.",
  web_page_redirects:
    "Die Seite {page} leitet zu oft weiter. Lesen Sie eine andere, oder prüfen Sie die Adresse.",
  web_page_redirected_nowhere:
    "Die Seite {page} leitet an keine Adresse weiter. Lesen Sie eine andere, oder prüfen Sie die Adresse.",
  web_page_slow:
    "Die Seite {page} antwortet zu langsam. Lesen Sie eine andere, oder prüfen Sie die Adresse.",
  web_page_status:
    "Die Seite {page} antwortet mit dem Status {status}. Lesen Sie eine andere, oder prüfen Sie die Adresse.",
  web_page_too_large:
    "Die Seite {page} ist größer als {maxBytes}. Lesen Sie eine andere, oder prüfen Sie die Adresse.",
  web_page_unreachable:
    "Die Seite {page} ist nicht erreichbar. Lesen Sie eine andere, oder prüfen Sie die Adresse.",
  web_page_without_text:
    "Die Seite {page} hat keinen Text, oder ein Skript schreibt ihn. Lesen Sie eine andere, oder prüfen Sie die Adresse.",
  web_page_unreadable:
    "Die Seite {page} lässt sich nicht lesen. Lesen Sie eine andere, oder prüfen Sie die Adresse.",
  web_links_too_many:
    "Nur die ersten {max} Adressen der Nachricht wurden gelesen. Nennen Sie die übrigen in einer weiteren.",
  search_engine_refuses_key:
    "{engine} nimmt den Schlüssel nicht an. Prüfen Sie ihn, oder lassen Sie sich dort einen neuen geben.",
  search_engine_quota:
    "Bei {engine} ist das Kontingent verbraucht. Warten Sie, oder erhöhen Sie es dort.",
  search_engine_status:
    "{engine} antwortet mit dem Status {status}. Prüfen Sie Adresse und Einstellungen.",
  search_engine_answer_too_large:
    "{engine} antwortet mehr, als gelesen werden kann. Prüfen Sie die Adresse.",
  search_engine_unreadable:
    "Die Antwort von {engine} lässt sich nicht lesen. Prüfen Sie die Adresse, und ob JSON erlaubt ist.",
  search_engine_slow:
    "{engine} antwortet zu langsam. Versuchen Sie es später erneut, oder prüfen Sie die Adresse.",
  search_engine_unreachable:
    "{engine} ist nicht erreichbar. Prüfen Sie die Adresse, und ob dieser Server sie aufrufen darf.",
  too_many_search_engines:
    "Es kann höchstens {max} Suchmaschinen geben. Entfernen Sie eine, die Sie nicht brauchen.",
  query_failed: "Die Abfrage ist gescheitert. Berichtigen Sie sie: {reason}",
  permission_missing:
    "Ihre Rollen erlauben das nicht ({permission}). Wenden Sie sich an Ihre Administration.",
  scope_missing:
    "Diesem API-Schlüssel fehlt das Recht {permission}. Verwenden Sie einen, der es hat.",
  model_task_unsupported:
    "Der Anbieter {provider} kann das hier nicht. Wählen Sie das Modell eines anderen.",
  image_not_editable:
    "{name} ist kein PNG, JPEG oder WebP. Nennen Sie ein Bild der Unterhaltung.",
  images_too_large: "Die Bilder haben zusammen mehr als {maxBytes}. Nennen Sie weniger.",
  conversation_file_unknown: "Eine Datei {name} gibt es in der Unterhaltung nicht.",
  attachment_of_another:
    "{name} ist ein Bild aus einer Unterhaltung von jemand anderem und nicht gelesen. Laden Sie es selbst hoch.",
  grant_missing:
    "Diesem Programm haben Sie {permission} nicht erlaubt. Verbinden Sie es erneut, und erlauben Sie das.",
  role_insufficient:
    "Dafür braucht es die Rolle {needed}; Sie haben {role}. Bitten Sie den Eigentümer.",
  role_unknown: "Die Rolle {name} gibt es nicht. Legen Sie sie zuerst an.",
  role_in_use:
    "So viele Personen haben diese Rolle: {count}. Nehmen Sie sie ihnen zuerst weg.",
  role_in_use_by_groups:
    "So viele Gruppen haben diese Rolle: {count}. Nehmen Sie sie ihnen zuerst weg.",
  role_too_strong:
    "Die Rolle {name} erlaubt {permission}, Ihre eigenen nicht. Bitten Sie jemanden, der das darf.",
  role_forbids:
    "Die Rolle {name} verbietet {permission}, und Ihre eigenen erlauben es nicht. Bitten Sie jemanden, der das darf.",
  user_too_strong:
    "Diese Person darf {permission}, Sie nicht. Bitten Sie jemanden, der das darf.",
  beyond_own_roles:
    "Das zeigt, was Ihre eigenen Rollen nicht erlauben ({permission}). Bitten Sie jemanden, der das darf.",
  sign_in_not_fresh:
    "{name} hat Sie nicht erneut gefragt. Melden Sie sich dort ab und dann wieder an.",
  too_many_allowed_addresses:
    "Höchstens {max} Adressen können erlaubt sein. Nehmen Sie zuerst eine zurück.",
  groups_too_deep:
    "Höchstens {max} Gruppen können eine Gruppe enthalten. Verschachteln Sie weniger Gruppen.",
  reranker_incomplete:
    "Der Reranker hat {judged} von {total} Treffern bewertet; die übrigen stehen hinten. Prüfen Sie seinen Server.",
  locked: "{name} bearbeitet das bis spätestens {expiresAt}. Versuchen Sie es danach.",
  oidc_provider_unreachable:
    "Der Anmeldedienst {name} ist nicht erreichbar. Versuchen Sie es gleich erneut.",

  embedding_dimensions_too_many:
    "Dieses Modell liefert {dimensions} Zahlen je Vektor; höchstens {max} gehen. Wählen Sie ein anderes, oder geben Sie im Katalog weniger an, falls es sie kürzen kann.",

  dimensions_fixed:
    "Dieses Modell liefert hier {dimensions} Zahlen je Vektor. Lassen Sie „dimensions“ weg.",
  tokens_unknown:
    "{token} ist kein Token eines Textes in cl100k_base. Senden Sie Texte statt Token.",

  // limits of size
  too_many_vectors:
    "Eine Antwort fasst höchstens {max} Vektoren dieses Modells. Senden Sie weniger Texte auf einmal.",
  agents_too_large:
    "Ihre Agenten haben zusammen mehr als {max} Zeichen. Lesen Sie sie seitenweise.",
  field_too_large: "Das Feld {field} hat mehr als {max} Zeichen. Kürzen Sie es.",
  body_too_large:
    "Das ist größer als {maxBytes} und kann nicht gesendet werden. Senden Sie weniger.",
  file_too_large: "Diese Datei ist größer als {maxBytes}. Wählen Sie eine kleinere.",
  files_too_large: "Diese Dateien dürfen zusammen {maxBytes} haben. Senden Sie weniger.",
  file_unsupported:
    "Das Modell {model} nimmt {mediaType} nicht, wie es ist. Senden Sie den Text, oder wählen Sie ein anderes Modell.",
  audio_unsupported:
    "Das Modell {model} hört {mediaType} nicht, und kein Modell schreibt Aufnahmen auf. Wählen Sie eines, das hört, oder senden Sie den Text.",
  given_file_too_large:
    "Was ein Modell von „{name}“ liest, ist größer als {maxBytes}. Senden Sie einen Teil.",
  too_many_given_files:
    "Die Nachrichten einer Anfrage haben höchstens {max} Dateien. Lassen Sie einige weg.",
  image_too_large: "Dieses Bild ist größer als {maxBytes}. Senden Sie ein kleineres.",
  logo_too_large: "Ein Logo hat höchstens {maxBytes}. Verkleinern Sie das Bild.",
  quota_exceeded:
    "Mit dieser Datei hätten Sie mehr als {maxBytes} gespeichert. Löschen Sie zuerst einige.",
  chunks_too_large:
    "Diese Größen ergeben zu viele Abschnitte, oder die Abschnitte wiederholen den Text mehr als {max}-mal. Wählen Sie größere Abschnitte oder eine kleinere Überlappung.",
  text_too_large: "Der Text ist länger als {max} Zeichen. Teilen Sie das Dokument.",
  file_password_invalid: "Ein Kennwort hat höchstens {max} Zeichen. Kürzen Sie es.",
  idempotency_key_too_long:
    "Der Idempotency-Key ist länger als {max} Zeichen. Kürzen Sie ihn.",
  range_not_satisfiable:
    "Die Datei hat {size} Bytes und endet vor dem verlangten Bereich. Fordern Sie weniger an.",
  too_many_images: "Möglich sind höchstens {max} Bilder. Senden Sie weniger.",
  folders_too_deep: "Ordner können {max} tief liegen. Wählen Sie einen höheren.",
  folder_too_deep: "Ordner können {max} tief liegen. Wählen Sie einen höheren.",

  // limits of number and rate
  sign_in_limited:
    "Zu viele Versuche. Versuchen Sie es erneut; Wartezeit in Minuten: {minutes}.",
  export_limited:
    "Exporte sind je Stunde begrenzt auf {max}. Warten Sie {seconds} Sekunden.",
  rate_limited: "Höchstens {max} Dateien je Minute. Warten Sie {seconds} Sekunden.",
  too_many_slow_requests:
    "Sie senden {max} große oder langsame Anfragen zugleich. Warten Sie auf eine.",
  too_many_streams:
    "Sie haben {max} offene Antworten, mehr sind nicht möglich. Schließen Sie ein anderes Fenster.",
  sandbox_not_isolated:
    "Code kann hier nicht ausgeführt werden: Dieser Rechner kann ihn nicht abschotten (möglich: " +
    "{kind}). Bitten Sie die Administration, bubblewrap zu installieren oder " +
    "Benutzer-Namensräume zu erlauben.",
  too_many_code_sessions:
    "Sie führen in {max} Sitzungen zugleich Code aus, eine je Unterhaltung und Sprache. Warten Sie, " +
    "bis eine fertig ist.",
  code_files_quota:
    "Die Dateien, die Code in allen Unterhaltungen geschrieben hat, haben zusammen höchstens " +
    "{maxBytes}. Löschen Sie eine Unterhaltung mit großen Dateien endgültig, oder schreiben Sie " +
    "kleinere.",
  code_files_too_large:
    "Die Dateien dieser Unterhaltung sind ab „{name}“ zusammen größer als {maxBytes}. Löschen " +
    "Sie einige, oder beginnen Sie eine andere Unterhaltung.",
  too_many_tasks: "Sie haben {max} Exporte oder Vergleiche zugleich. Warten Sie auf einen.",
  too_many_exports: "Sie haben {max} Exporte zugleich. Warten Sie auf einen.",
  too_many_jobs:
    "Sie haben {max} offene Aufträge. Warten Sie auf einige, oder brechen Sie welche ab.",
  too_many_replies:
    "Für Sie entstehen schon {max} Antworten. Warten Sie auf eine, oder halten Sie eine an.",
  too_many_allowed_tools: "Sie erlauben schon {max} Werkzeuge. Nehmen Sie eines zurück.",
  too_many_runs:
    "Es sind {max} Ihrer Läufe unterwegs. Warten Sie, oder brechen Sie einige ab.",
  too_many_runs_kept: "Sie haben {max} Läufe, mehr sind nicht möglich. Löschen Sie alte.",
  too_many_rules: "Es gibt {max} Regeln, mehr sind nicht möglich. Löschen Sie zuerst eine.",
  too_many_sources:
    "Sie haben {max} Quellen, mehr sind nicht möglich. Löschen Sie zuerst eine.",
  too_many_schedules:
    "Sie haben {max} Zeitpläne, mehr sind nicht möglich. Löschen Sie zuerst einen.",
  too_many_api_keys:
    "Sie haben {max} API-Schlüssel, mehr sind nicht möglich. Löschen Sie zuerst einen.",
  too_many_conversations:
    "Sie haben {max} Unterhaltungen, mehr sind nicht möglich. Löschen Sie zuerst einige.",
  too_many_messages:
    "Diese Unterhaltung hat {max} Nachrichten, mehr sind nicht möglich. Beginnen Sie eine neue.",
  conversation_too_large:
    "Die Nachrichten haben mehr als {max} Zeichen. Exportieren Sie die Unterhaltung, oder lesen Sie sie seitenweise.",
  too_many_versions:
    "Es gibt {max} Fassungen, mehr werden nicht behalten. Kopieren Sie die neueste, und ändern Sie die Kopie.",
  messages_quota_exceeded:
    "Die Nachrichten der Unterhaltungen haben {maxBytes}, mehr sind nicht möglich. Löschen Sie Unterhaltungen, auch aus dem Papierkorb.",
  versions_quota_exceeded:
    "Die Fassungen von Texten und Agenten hätten mehr als {maxBytes}. Löschen Sie einige, auch aus dem Papierkorb.",
  too_many_documents:
    "Sie haben {max} Dokumente, mehr sind nicht möglich. Löschen Sie zuerst einige.",
  too_many_conversions:
    "Sie haben {max} Texte behalten, mehr sind nicht möglich. Löschen Sie zuerst einige.",
  too_many_background_responses:
    "{max} Antworten von Ihnen werden schon im Hintergrund erzeugt, mehr sind zugleich nicht möglich. " +
    "Warten Sie, bis eine endet, oder brechen Sie eine ab.",
  too_many_templates:
    "Sie haben {max} Vorlagen, mehr sind nicht möglich. Löschen Sie zuerst einige.",
  too_many_agents:
    "Sie haben {max} Agenten, mehr sind nicht möglich. Löschen Sie zuerst einen.",
  trash_full:
    "Ihr Papierkorb enthält {max} davon, mehr sind nicht möglich. Löschen Sie einiges endgültig, oder warten Sie, bis das Älteste gelöscht ist.",
  too_many_canvases:
    "Wem die Unterhaltung gehört, hat {max} Texte, mehr sind nicht möglich. Löschen Sie zuerst einen.",
  too_many_folders:
    "Sie haben {max} Ordner, mehr sind nicht möglich. Löschen Sie zuerst einen.",
  too_many_groups: "Eine Organisation kann {max} Gruppen haben. Löschen Sie zuerst einige.",
  too_many_members:
    "Eine Gruppe kann {max} Mitglieder haben. Nehmen Sie stattdessen Gruppen in sie auf.",
  too_many_groups_of_user:
    "Eine Person kann in {max} Gruppen sein. Entfernen Sie sie zuerst aus einer.",
  too_many_labels:
    "Eine Organisation kann {max} Kennzeichnungen haben. Löschen Sie zuerst eine.",
  label_removal_refused:
    "Die Kennzeichnung „{label}“ nimmt hier nur die Administration ab. Bitten Sie sie darum.",
  label_forbids_sharing:
    "Die Kennzeichnung „{label}“ lässt diese Freigabe nicht zu. Geben Sie es einer der Gruppen ihrer Regel frei, oder bitten Sie Ihre Administration.",
  label_shared_outside:
    "Die Kennzeichnung „{label}“ lässt nicht zu, wie dies freigegeben ist. Nehmen Sie das zuerst zurück, wählen Sie einen anderen Ordner, oder machen Sie in einer eigenen Unterhaltung weiter.",
  label_forbids_export:
    "Die Kennzeichnung „{label}“ lässt den Export nur für die Gruppen ihrer Regel zu, und Sie sind in keiner. Bitten Sie jemanden daraus.",
  label_forbids_provider:
    "Die Kennzeichnung „{label}“ lässt {provider} das nicht lesen. Wählen Sie ein Modell eines anderen Anbieters: {providers}.",
  label_forbids_flow:
    "Die Kennzeichnung „{label}“ lässt einen Ablauf das nicht lesen. Wählen Sie einen anderen Agenten.",
  too_many_shares:
    "Etwas kann {max} Mal freigegeben sein. Geben Sie es einer Gruppe frei, oder nehmen Sie Freigaben zurück.",
  too_many_tags:
    "Sie können {max} Schlagwörter vergeben. Nehmen Sie vorhandene, oder entfernen Sie zuerst eines.",
  too_many_marks:
    "Sie haben {max} Markierungen dieser Art, mehr sind nicht möglich. Entfernen Sie zuerst eine.",
  too_many_requests:
    "Von dieser Adresse kamen mehr als {max} Nachrichten je Minute. Senden Sie weniger.",
  too_many_large_requests:
    "Ihre Anfragen zugleich dürfen zusammen {maxBytes} haben. Warten Sie auf eine.",
  budget_nearly_used: "Vom Budget {name} sind {percent} % verbraucht.",
  option_unsupported:
    "Der Anbieter dieses Modells kennt {name} nicht. Lassen Sie es weg, oder wählen Sie ein anderes Modell.",
  agent_has_settings:
    "Ein Agent antwortet mit eigenen Einstellungen. Lassen Sie {name} weg, oder nennen Sie ein Modell.",
  tools_missing: "Ohne diese Werkzeuge beantwortet, die es zurzeit nicht gibt: {names}.",
  documents_not_ready: "Nicht durchsucht, weil nicht oder noch nicht gelesen: {names}.",
  budget_exceeded: "Das Budget {name} ist aufgebraucht. Fragen Sie Ihre Administration.",

  // tools and models
  tool_server_busy: "{server} ist ausgelastet. Versuchen Sie es gleich erneut.",
  tool_timeout: "Das Werkzeug von {server} hat nicht in {seconds} Sekunden geantwortet.",
  tool_sign_in_unreachable:
    "Die Anmeldung des Werkzeugservers bei {host} antwortet nicht. Versuchen Sie es erneut, oder fragen Sie den Betreiber.",
  tool_sign_in_failed:
    "Die Anmeldung bei {host} wurde abgewiesen ({reason}). Verbinden Sie erneut, oder fragen Sie den Betreiber.",
  tool_sign_in_needs_client:
    "Die Anmeldung von {server} kennt Parlance erst, wenn es dort von Hand registriert ist, mit der Rücksprungadresse {address}. Tragen Sie die Client-ID beim Werkzeugserver ein.",
  tool_sign_in_registration:
    "Die Anmeldung bei {host} lehnt es ab, Parlance zu registrieren. Registrieren Sie es dort von Hand mit der Rücksprungadresse {address}, und tragen Sie die Client-ID beim Werkzeugserver ein.",
  tool_sign_in_other_issuer:
    "{server} nennt eine andere Anmeldung als {issuer}, bei der seine Client-ID benutzt wird. Fragen Sie den Betreiber; ein Administrator trägt am Werkzeugserver einen anderen Aussteller ein.",
  tool_sign_in_limited:
    "Sie können höchstens {max} Verbindungen in zehn Minuten beginnen. Versuchen Sie es später erneut.",
  tool_sign_in_mismatch:
    "Die Anmeldung des Werkzeugservers ist nicht seine eigene: {found} steht, wo {expected} stehen muss. Fragen Sie den Betreiber.",
  tool_sign_in_unknown:
    "Die Anmeldung des Werkzeugservers bei {host} nennt ihre Adressen nicht. Fragen Sie den Betreiber, oder tragen Sie einen Schlüssel in den Kopfzeilen ein.",
  tool_sign_in_without_pkce:
    "Die Anmeldung des Werkzeugservers bei {host} sagt nicht, dass sie PKCE (S256) kennt. Fragen Sie den Betreiber, oder tragen Sie einen Schlüssel in den Kopfzeilen ein.",
  tool_sign_in_unencrypted:
    "Die Anmeldung des Werkzeugservers bei {host} hat eine Adresse ohne https. Fragen Sie den Betreiber.",
  tool_sign_in_denied:
    "Die Anmeldung wurde nicht gewährt ({reason}). Verbinden Sie erneut, wenn Sie die Werkzeuge verwenden möchten.",
  tool_sign_in_needed:
    "{server} braucht Ihr Konto dort. Verbinden Sie es unter {address}, und versuchen Sie es dann erneut.",
  tool_server_redirects:
    "Der Werkzeugserver leitet weiter (Status {status}), etwa zu einer Anmeldeseite. Tragen Sie die Adresse ein, zu der er führt, oder nehmen Sie ihn von dieser Anmeldung aus.",
  tool_server_refused: "{server} weist die Anmeldung ab. Fragen Sie den Betreiber.",
  tool_command_unknown:
    "Ein Programm {name} bietet der Betreiber nicht an. MCP_COMMANDS bietet an: {offered}.",
  tool_command_failed:
    "Das Programm läuft nicht ({why}). Was es geschrieben hat, steht im Log des Servers.",
  tool_server_status:
    "Der Werkzeugserver antwortet mit dem Status {status}. Prüfen Sie die Adresse und die Kopfzeilen.",
  tool_server_version:
    "Er spricht Version {version} des Protokolls, die Parlance nicht kennt. Aktualisieren Sie einen von beiden.",
  tool_server_header_template:
    "Seine Kopfzeile {header} enthält einen Platzhalter, den nichts füllt. Geben Sie den Wert selbst ein, oder {{user.id}}, {{user.email}} oder {{secret.<Name>}}.",
  tool_header_without_email:
    "{server} will bei jedem Aufruf Ihre E-Mail-Adresse, und hier ist keine bekannt. Fragen Sie die Administration.",
  tool_values_unknown: "{server} fragt nach keinem Wert {name}.",
  conversation_has_settings:
    "Eine Unterhaltung antwortet mit ihren eigenen Nachrichten, Einstellungen und Werkzeugen. Lassen Sie {name} weg, oder die Unterhaltung.",
  tool_visit_needed:
    "{server} will Sie zuerst auf der Seite {address} haben. Öffnen Sie sie, und versuchen Sie es dann erneut.",
  tool_input_needed:
    "{server} braucht eine Antwort, die hier niemand gibt. Nutzen Sie das Werkzeug mit einem Programm, das gefragt werden kann.",
  tool_server_unreachable: "Der Werkzeugserver {server} ist nicht erreichbar.",
  tool_arguments_unchecked:
    "Das Werkzeug „{name}“ lief nicht: Es könnte etwas zerstören, und seine Werte lassen sich nicht " +
    "prüfen. Fragen Sie die Administration.",
  tool_changed_again:
    "Das Werkzeug {name} hat sich nach Ihrer Prüfung wieder geändert. Prüfen Sie es erneut.",
  tool_withheld:
    "Das Werkzeug {name} von {server} ist neu oder geändert und muss von der Administration geprüft werden.",
  tool_server_exists:
    "Einen Werkzeugserver {name} gibt es schon. Wählen Sie einen anderen Namen.",
  view_invalid:
    "{name} antwortet nicht mit einer Seite von höchstens 3 MB für diese Ansicht. Fragen Sie dessen Betrieb.",
  view_resource_not_found:
    "{name} hat keine solche Ressource, die Sie lesen dürfen. Rufen Sie das Werkzeug erneut auf.",
  view_resource_invalid:
    "{name} antwortet nicht mit einer Ressource von höchstens 3 MB. Fragen Sie dessen Betrieb.",
  tool_not_chosen:
    "Das Werkzeug {name} wurde für diesen Schlüssel oder dieses Programm nicht gewählt. Nehmen Sie einen Schlüssel, der es hat, oder verbinden Sie das Programm erneut.",
  tool_server_not_found: "Den Werkzeugserver {name} gibt es nicht.",
  model_exists: "Das Modell {name} gibt es schon.",
  model_not_found: "Das Modell {name} gibt es nicht.",
  model_unknown:
    "Das Modell {name} gibt es nicht, oder es ist abgeschaltet. Wählen Sie ein anderes.",
  fallback_unsuitable:
    "{name} kann dieses Modell nicht vertreten. Wählen Sie ein verfügbares derselben Art; für Einbettungen dasselbe Modell, mit gleichem Namen und gleich langen Vektoren, bei einem anderen Anbieter.",
  parameter_unsupported:
    "Den Parameter {name} kann der Anbieter dieses Modells nicht annehmen. Lassen Sie ihn weg.",
  load_sharing_unsuitable:
    "{name} kann sich die Last nicht teilen: Es ist keine Vertretung des Modells oder zweimal genannt. Nennen Sie es einmal, und auch als Vertretung.",
  provider_exists: "Einen Anbieter {name} gibt es schon.",
  provider_not_found: "Den Anbieter {name} gibt es nicht.",
  provider_misconfigured:
    "Eine Einstellung des Anbieters {name} fehlt oder ist falsch. Korrigieren Sie sie unter Modelle → Anbieter, oder bitten Sie Ihre Administration darum.",
  provider_timeout:
    "Der Anbieter hat {seconds} Sekunden lang nichts gesendet. Versuchen Sie es erneut.",
  reply_timeout:
    "Die Antwort wurde nach {seconds} Sekunden beendet. Fragen Sie nach weniger.",
  run_timeout:
    "Der Lauf wurde nach {seconds} Sekunden beendet. Fragen Sie nach weniger auf einmal.",
  agent_timeout:
    "Der Agent war nach {seconds} Sekunden nicht fertig. Erhöhen Sie die Zeitgrenze in der Regel.",

  // parts of the server
  last_call_failed: "Der letzte Aufruf ist gescheitert: {names}.",
  tool_servers_down: "Nicht erreichbar: {names}.",
  memory_short: "Frei sind {freeBytes} Speicher, weniger als eine Datei brauchen kann.",
  files_wait: "Dateien, die darauf warten, gelesen zu werden: {count}.",
  isolation_whole: "Die Prozesse, die Dateien lesen, sind ganz abgeschottet ({kind}).",
  isolation_partial:
    "Die Prozesse, die Dateien lesen, sind nicht ganz abgeschottet ({kind}). Installieren Sie bubblewrap, oder erlauben Sie User-Namespaces ohne Rechte.",
  setting_missing: "Nicht eingestellt: {names}.",
  command_missing: "Das Programm {command} ist nicht installiert.",
  command_fails: "Das Programm {command} läuft nicht (Abschottung: {isolation}).",
  languages_missing: "Dem Programm {command} fehlen die Daten der Sprachen.",
  provider_refused:
    "Langflow {version} ist nicht sicher. Der Betreiber muss mindestens {min} installieren.",

  // what one works on
  agent_changed:
    "Der Agent wurde inzwischen geändert, neu ist Version {version}. Laden Sie ihn neu.",
  canvas_changed:
    "Jemand war schneller: Der Text wurde inzwischen geändert, neu ist Version {version}.",
  only_rule: "Die Regel {name} ist die einzige, die passt.",
  most_specific_rule:
    "Von {count} Regeln, die passen, nennt {name} das Medium am genauesten.",
  message_invalid: "In der Nachricht ist die Angabe {path} nicht, was erwartet wird.",
  variable_missing: "Füllen Sie die Lücke {label} aus.",
  file_not_readable: "Das Modell kann die Datei {name} nicht lesen.",
  time_zone_invalid:
    "Die Zeitzone {name} gibt es nicht. Nehmen Sie eine wie Europe/Berlin.",
  cron_invalid:
    "{cron} ist kein Zeitplan: Minute, Stunde, Tag, Monat, Wochentag, etwa 0 9 * * 1-5.",
  cron_never: "Den Zeitpunkt {cron} gibt es nie. Ändern Sie Tag oder Monat.",
  validation_failed: "Die Angabe {path} ist nicht richtig. Prüfen Sie sie.",
};
