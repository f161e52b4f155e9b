import { automationErrors } from "./errors-automations.de.ts";
import { documentErrors } from "./errors-documents.de.ts";
import { requestErrors } from "./errors-requests.de.ts";
import { serviceErrors } from "./errors-services.de.ts";

/** German sentences by the code of an error. What is missing is said in the server's English. */
export const errors: Record<string, string> = {
  ...automationErrors,
  ...documentErrors,
  ...requestErrors,
  ...serviceErrors,

  // sign-in and accounts
  credentials_wrong: "E-Mail oder Kennwort ist falsch. Versuchen Sie es erneut.",
  credentials_required: "Melden Sie sich an.",
  session_ended: "Diese Sitzung ist beendet. Melden Sie sich erneut an.",
  session_ambiguous:
    "Der Browser hat zwei Sitzungscookies gesendet. Löschen Sie die Cookies und melden Sie sich an.",
  session_not_found:
    "Es gibt keine offene Sitzung mit dieser Kennung. Laden Sie die Liste neu.",
  token_expired: "Die Anmeldung ist abgelaufen. Melden Sie sich erneut an.",
  token_revoked: "Diese Sitzung ist beendet. Melden Sie sich erneut an.",
  password_wrong: "Das bisherige Kennwort ist falsch. Versuchen Sie es erneut.",
  user_disabled: "Dieses Konto ist deaktiviert. Wenden Sie sich an Ihre Administration.",
  user_absent:
    "Dieses Konto wurde zu lange nicht benutzt. Melden Sie sich einmal an, dann geht es weiter.",
  user_deleted: "Dieses Konto ist gelöscht.",
  user_not_found: "Diese Person gibt es nicht. Laden Sie die Liste neu.",
  sign_in_busy:
    "Es melden sich gerade mehr Menschen an, als der Server prüfen kann. Versuchen Sie es gleich erneut.",
  sign_in_limited:
    "Zu viele Versuche. Warten Sie einige Minuten und versuchen Sie es erneut.",
  sign_in_expired:
    "Diese Anmeldung hat zu lange gedauert oder wurde schon benutzt. Neu beginnen.",
  sign_up_closed: "Sie haben noch kein Konto. Bitten Sie Ihre Administration um eines.",
  sign_up_limited:
    "Aus Ihrem Netz wurden zu viele Konten angelegt. Versuchen Sie es später.",
  code_invalid:
    "Dieser Code ist falsch, verbraucht, zu alt oder von einem anderen Browser. Melden Sie sich erneut an.",
  email_taken: "Jemand anders verwendet diese E-Mail. Nehmen Sie eine andere.",
  email_not_verified:
    "Ihr Anbieter bestätigt die E-Mail nicht. Wenden Sie sich an die Administration.",
  link_password_required:
    "Ein Konto mit Kennwort hat Ihre E-Mail. Melden Sie sich im Browser an, um es mit seinem Kennwort zu verbinden.",
  email_domain_not_allowed: "Konten dieser Domain dürfen sich hier nicht anmelden.",
  account_of_other_tenant:
    "Ihr Konto gehört zu einer anderen Organisation. Melden Sie sich mit deren Anbieter an.",
  identity_conflict: "Das Konto mit Ihrer E-Mail gehört zu einer anderen Identität.",
  tenant_mismatch: "Dieses Konto gehört zu einem anderen Mandanten.",
  oidc_provider_unreachable:
    "Der Anmeldedienst ist nicht erreichbar. Versuchen Sie es gleich erneut.",
  cross_site_refused:
    "Nur Seiten dieses Servers dürfen etwas ändern. Laden Sie die Seite neu.",
  api_key_not_found: "Diesen API-Schlüssel haben Sie nicht. Laden Sie die Liste neu.",
  too_many_api_keys:
    "Sie haben die größte Zahl an API-Schlüsseln. Löschen Sie zuerst einen.",
  scim_token_not_found: "Dieses SCIM-Token gibt es nicht mehr. Laden Sie die Liste neu.",
  too_many_scim_tokens:
    "Ihre Organisation hat die größte Zahl an SCIM-Token. Widerrufen Sie zuerst eines.",
  scim_token_required:
    "Hier fragt nur der Identitätsanbieter, mit einem SCIM-Token. Legen Sie eines unter Benutzer, Bereitstellung an.",
  scim_token_invalid:
    "Das SCIM-Token ist unbekannt, widerrufen oder abgelaufen, oder wer es angelegt hat, ist nicht mehr Administrator. Legen Sie ein neues an.",
  scim_limited: "Der Identitätsanbieter fragt zu oft. Versuchen Sie es später erneut.",
  scim_not_found: "Das gibt es hier nicht. Prüfen Sie die Adresse.",
  scim_search_unsupported:
    "Benutzer und Gruppen werden nicht zusammen gesucht. Suchen Sie sie einzeln.",
  scim_user_exists:
    "Ein anderer Benutzer hat diesen Benutzernamen oder diese E-Mail. Suchen Sie ihn danach.",
  scim_member_unknown: "Ein Mitglied gibt es hier nicht. Stellen Sie es zuerst bereit.",
  scim_email_missing:
    "Der Benutzer hat keine E-Mail. Senden Sie eine in emails oder als userName.",
  scim_filter_invalid: "Der Filter ist nicht gültig. Prüfen Sie ihn.",
  scim_path_invalid: "Der Pfad nennt kein Attribut. Prüfen Sie ihn.",
  scim_path_missing:
    "Einer Änderung fehlt der Pfad. Senden Sie einen, oder ein Objekt von Attributen.",
  scim_read_only: "Dieses Attribut lässt sich nicht ändern. Lassen Sie es weg.",
  scim_value_invalid: "Ein Wert ist nicht gültig. Prüfen Sie ihn.",
  preferences_too_large:
    "Die Einstellungen dürfen zusammen 32 KB haben. Entfernen Sie welche.",
  last_administrator:
    "Das ist das letzte Administrationskonto. Ernennen Sie zuerst ein weiteres.",

  // rights
  permission_missing:
    "Ihre Rollen erlauben das nicht. Wenden Sie sich an Ihre Administration.",
  admin_required: "Das darf nur die Administration. Wenden Sie sich an sie.",
  operator_required:
    "Das betrifft alle Mandanten und ist der Administration der Anlage vorbehalten.",
  role_insufficient:
    "Ihre Rolle reicht dafür nicht. Bitten Sie den Eigentümer um eine stärkere.",
  conversation_read_only:
    "Sie dürfen diese Unterhaltung lesen, nicht ändern. Bitten Sie den Eigentümer.",
  canvas_read_only:
    "Sie dürfen diesen Text lesen, nicht ändern. Bitten Sie den Eigentümer.",
  agent_read_only:
    "Sie dürfen diesen Agenten benutzen, nicht ändern. Bitten Sie den Eigentümer.",

  // conversations
  conversation_not_found:
    "Diese Unterhaltung gibt es nicht, oder sie ist nicht für Sie freigegeben. " +
    "Wählen Sie eine andere.",
  message_not_found:
    "Diese Nachricht gibt es in der Unterhaltung nicht. Laden Sie sie neu.",
  reply_in_progress:
    "Hier entsteht noch eine Antwort. Warten Sie ihr Ende ab oder halten Sie sie an.",
  too_many_replies:
    "Für Sie entstehen schon so viele Antworten wie erlaubt. Warten Sie auf eine.",
  call_not_waiting:
    "Dieser Aufruf wartet nicht mehr auf eine Entscheidung. Laden Sie die " +
    "Unterhaltung neu.",
  approval_required: "Werkzeuge ohne Rückfrage laufen zu lassen erfordert weitere Rechte.",
  idempotency_key_reused:
    "Diese Nachricht wurde schon mit anderem Inhalt gesendet. Neu senden.",
  budget_exceeded: "Das Budget ist aufgebraucht. Fragen Sie Ihre Administration.",
  budget_nearly_used: "Das Budget ist fast aufgebraucht.",
  tools_missing: "Werkzeuge fehlen zurzeit; die Antwort kam ohne sie aus.",
  documents_not_ready: "Ein Dokument ist noch nicht gelesen und fehlt in dieser Antwort.",
  agent_gone: "Der Agent, der hier antwortete, ist gelöscht. Wählen Sie einen anderen.",
  agent_not_found:
    "Diesen Agenten gibt es nicht, oder er ist nicht für Sie freigegeben. Wählen Sie " +
    "einen anderen.",
  agent_not_usable: "Dieser Agent kann gerade nicht antworten. Wählen Sie einen anderen.",
  agent_changed: "Der Agent wurde inzwischen geändert. Laden Sie ihn neu.",
  agent_failed: "Der Agent ist fehlgeschlagen. Versuchen Sie es erneut.",
  agent_has_settings: "Ein Agent antwortet mit seinen eigenen Einstellungen.",
  agent_has_tools: "Ein Agent benutzt seine eigenen Werkzeuge.",
  conversation_too_large:
    "Diese Unterhaltung ist zu lang, um auf einmal gelesen zu werden. Exportieren Sie sie.",
  too_many_conversations:
    "Sie haben die größte Zahl an Unterhaltungen. Löschen Sie zuerst einige.",
  too_many_messages: "Diese Unterhaltung ist voll. Beginnen Sie eine neue.",
  too_many_conversions:
    "Sie haben die größte Zahl an behaltenen Texten. Löschen Sie zuerst einige.",
  too_many_templates: "Sie haben die größte Zahl an Vorlagen. Löschen Sie zuerst einige.",
  too_many_agents: "Sie haben die größte Zahl an Agenten. Löschen Sie zuerst einen.",
  model_unknown:
    "Dieses Modell gibt es nicht, oder es ist abgeschaltet. Wählen Sie ein anderes.",
  model_not_found: "Dieses Modell gibt es nicht.",
  completion_cut: "Das Modell brach mitten in der Antwort ab. Versuchen Sie es erneut.",
  interrupted: "Der Server endete mitten in dieser Antwort. Versuchen Sie es noch einmal.",
  run_cut: "Der Agent brach mitten in der Antwort ab. Fragen Sie noch einmal.",
  run_timeout: "Die Antwort dauerte zu lange und wurde beendet. Fragen Sie nach weniger.",
  too_many_allowed_tools:
    "Sie erlauben schon die größte Zahl an Werkzeugen. Nehmen Sie eines zurück.",
  tool_not_found: "Dieses Werkzeug gibt es nicht.",
  tool_not_rememberable: "Dieses Werkzeug kann nur einmal erlaubt oder abgelehnt werden.",
  tool_timeout: "Das Werkzeug hat nicht rechtzeitig geantwortet.",
  tool_failed: "Das Werkzeug ist fehlgeschlagen.",
  tool_withheld:
    "Das Werkzeug ist neu oder geändert und muss von der Administration geprüft werden.",
  tool_command_unknown: "Dieses Programm bietet der Betreiber nicht an.",
  tool_command_failed:
    "Das Programm des Werkzeugservers läuft nicht. Was es geschrieben hat, steht im Log des Servers.",
  tool_server_status:
    "Der Werkzeugserver weist die Anfrage ab. Prüfen Sie die Adresse und die Kopfzeilen.",
  tool_server_protocol:
    "Dort antwortet kein Werkzeugserver (MCP über HTTP). Prüfen Sie die Adresse.",
  tool_server_version:
    "Der Werkzeugserver spricht eine unbekannte Version des Protokolls. Aktualisieren Sie ihn oder Parlance.",
  tool_server_header_template:
    "Eine Kopfzeile enthält einen Platzhalter, den nichts füllt. Geben Sie den Wert selbst ein.",
  tool_server_headers_personal:
    "Seine Kopfzeilen enthalten Werte jedes Benutzers, die noch niemand eingetragen hat. Speichern Sie ihn, und verbinden Sie ihn dann.",
  tool_server_silent:
    "Der Werkzeugserver antwortet nicht. Prüfen Sie die Adresse, und ob er läuft.",
  tool_visit_needed:
    "Der Server dieses Werkzeugs will Sie zuerst auf einer Seite haben. Öffnen Sie sie, und versuchen Sie es dann erneut.",
  tool_input_needed:
    "Das Werkzeug braucht eine Antwort, die hier niemand gibt. Nutzen Sie es mit einem Programm, das gefragt werden kann.",
  tool_session_lost:
    "Der Werkzeugserver kennt die Sitzung nicht mehr. Eine neue wird geöffnet.",
  tool_connection_broken: "Die Verbindung brach ab. Eine neue wird geöffnet.",
  tool_server_headers_kept:
    "Die gespeicherten Kopfzeilen gehören zu einer anderen Adresse. Geben Sie die für diese ein.",
  tool_server_unreachable: "Der Werkzeugserver ist nicht erreichbar.",
  flows_unavailable:
    "Dieser Agent braucht einen Anbieter der Abläufe, und hier ist keiner eingerichtet.",
  flow_failed: "Der Ablauf ist fehlgeschlagen.",
  flow_timeout: "Der Ablauf wurde nicht rechtzeitig fertig.",
  web_search_not_set_up:
    "Im Web lässt sich nicht suchen: Es ist keine Suchmaschine eingerichtet. Fragen Sie Ihre Administration.",
  web_search_failed:
    "Keine Suchmaschine hat geantwortet. Versuchen Sie es später erneut, oder fragen Sie Ihre Administration.",
  search_engine_refuses_key:
    "Die Suchmaschine nimmt den Schlüssel nicht an. Prüfen Sie ihn.",
  search_engine_quota: "Das Kontingent der Suchmaschine ist verbraucht. Warten Sie.",
  search_engine_status:
    "Die Suchmaschine antwortet mit einem Fehler. Prüfen Sie die Adresse.",
  search_engine_answer_too_large:
    "Die Suchmaschine antwortet zu viel. Prüfen Sie die Adresse.",
  search_engine_unreadable:
    "Die Antwort der Suchmaschine lässt sich nicht lesen. Prüfen Sie die Adresse.",
  search_engine_slow:
    "Die Suchmaschine antwortet zu langsam. Versuchen Sie es später erneut.",
  search_engine_unreachable:
    "Die Suchmaschine ist nicht erreichbar. Prüfen Sie die Adresse.",
  search_engine_not_found:
    "Diese Suchmaschine gibt es nicht mehr. Laden Sie die Liste neu.",
  search_engines_differ:
    "Das sind nicht die Suchmaschinen, die es jetzt gibt. Laden Sie die Liste neu.",
  too_many_search_engines:
    "Es gibt zu viele Suchmaschinen. Entfernen Sie eine, die Sie nicht brauchen.",
  web_address_incomplete:
    "Das ist keine vollständige Adresse einer Seite. Nennen Sie eine wie https://example.org/page.",
  web_page_redirects:
    "Die Seite leitet zu oft weiter. Lesen Sie eine andere, oder prüfen Sie die Adresse.",
  web_page_redirected_nowhere:
    "Die Seite leitet an keine Adresse weiter. Lesen Sie eine andere, oder prüfen Sie die Adresse.",
  web_page_slow:
    "Die Seite antwortet zu langsam. Lesen Sie eine andere, oder prüfen Sie die Adresse.",
  web_page_status:
    "Die Seite antwortet mit einem Fehler. Lesen Sie eine andere, oder prüfen Sie die Adresse.",
  web_page_too_large:
    "Die Seite ist zu groß. Lesen Sie eine andere, oder prüfen Sie die Adresse.",
  web_page_unreachable:
    "Die Seite ist nicht erreichbar. Lesen Sie eine andere, oder prüfen Sie die Adresse.",
  web_page_without_text:
    "Die Seite hat keinen Text, oder ein Skript schreibt ihn. Lesen Sie eine andere, oder prüfen Sie die Adresse.",
  web_links_too_many: "Nicht alle Adressen der Nachricht wurden gelesen.",
  web_page_unreadable:
    "Die Seite lässt sich nicht lesen. Lesen Sie eine andere, oder prüfen Sie die Adresse.",
  sandbox_not_isolated:
    "Code kann hier nicht ausgeführt werden: Dieser Rechner kann ihn nicht abschotten. Bitten Sie " +
    "die Administration, bubblewrap zu installieren oder Benutzer-Namensräume zu erlauben.",
  sandbox_unavailable:
    "Der Interpreter, der Code ausführt, startet nicht. Fragen Sie die Administration.",
  sandbox_busy: "Zu viel Code wartet auf die Ausführung. Versuchen Sie es gleich erneut.",
  too_many_code_sessions:
    "Sie führen in zu vielen Sitzungen zugleich Code aus. Warten Sie, bis eine fertig ist.",
  code_unavailable:
    "Code kann gerade nicht ausgeführt werden. Versuchen Sie es gleich erneut, oder fragen Sie " +
    "Ihre Administration.",
  code_files_quota:
    "Die Dateien, die Code geschrieben hat, sind zusammen zu groß. Löschen Sie eine Unterhaltung " +
    "mit großen Dateien endgültig, oder schreiben Sie kleinere.",
  conversation_file_not_found:
    "Diese Datei gibt es nicht, oder sie ist nicht für Sie freigegeben. Bitten Sie in der " +
    "Unterhaltung noch einmal darum.",
  code_files_too_large:
    "Die Dateien dieser Unterhaltung sind zusammen zu groß. Löschen Sie einige, oder beginnen " +
    "Sie eine andere Unterhaltung.",
  web_unavailable:
    "Im Web lässt sich gerade nicht suchen und lesen. Versuchen Sie es gleich erneut, oder fragen Sie Ihre Administration.",
  texts_unavailable:
    "Die Dokumente lassen sich gerade nicht lesen. Versuchen Sie es gleich erneut.",
  tables_unavailable:
    "Die Tabellen lassen sich gerade nicht lesen. Versuchen Sie es gleich erneut.",
  tables_busy: "Zu viele Fragen an Tabellen warten. Versuchen Sie es gleich erneut.",
  tables_not_found:
    "Keines der Dokumente ist eine Tabelle, die Sie sehen dürfen. Fügen Sie eine hinzu.",
  table_unreadable:
    "Die Zeilen dieser Datei lassen sich nicht lesen. Speichern Sie sie neu, oder senden Sie eine andere Kopie.",
  query_failed: "Die Abfrage ist gescheitert. Berichtigen Sie sie.",
  query_not_select:
    "Eine Abfrage ist ein einziges SELECT über die Tabellen. Sie ändert nichts und liest keine Dateien.",
  retrieval_unavailable:
    "Dieser Agent antwortet aus Dokumenten, und die Suche läuft hier nicht.",
  template_not_found: "Diese Vorlage gibt es nicht. Wählen Sie eine andere.",
  variable_missing: "Füllen Sie alle Lücken der Vorlage aus.",
  canvas_not_found:
    "Diesen Text gibt es nicht, oder er ist nicht für Sie freigegeben. Wählen Sie " +
    "einen anderen.",
  canvas_changed: "Jemand war schneller: Der Text wurde inzwischen geändert.",
  version_not_found: "Diese Fassung gibt es nicht. Wählen Sie eine aus der Liste.",
  agents_too_large:
    "Ihre Agenten sind zu lang, um sie auf einmal zu lesen. Lesen Sie sie seitenweise.",
  diff_too_large: "Diese Fassungen unterscheiden sich zu stark für einen Vergleich.",
  too_many_versions:
    "Mehr Fassungen werden nicht behalten. Kopieren Sie die neueste, und ändern Sie die Kopie.",
  messages_quota_exceeded:
    "Die Nachrichten dieser Unterhaltungen wären zu groß. Löschen Sie Unterhaltungen, auch aus dem Papierkorb.",
  versions_quota_exceeded:
    "Die Fassungen Ihrer Texte und Agenten wären zu groß. Löschen Sie einige, auch aus dem Papierkorb.",
  trash_full:
    "Ihr Papierkorb ist voll. Löschen Sie einiges endgültig, oder warten Sie, bis das Älteste gelöscht ist.",
  too_many_canvases: "Sie haben die größte Zahl an Texten. Löschen Sie zuerst einen.",

  // providers and models
  provider_refused_key:
    "Der Anbieter lehnt den Schlüssel ab. Prüfen Sie ihn unter Modelle → Anbieter, oder bitten Sie Ihre Administration darum.",
  provider_address_wrong:
    "Unter dieser Adresse gibt es keine Modelle. Prüfen Sie die Adresse.",
  provider_redirects:
    "Die Adresse leitet weiter. Geben Sie unter Modelle → Anbieter die endgültige ein, oder bitten Sie Ihre Administration darum.",
  provider_unreachable:
    "Der Anbieter ist nicht erreichbar. Versuchen Sie es erneut, oder prüfen Sie seine Adresse unter Modelle → Anbieter.",
  provider_timeout:
    "Der Anbieter hat nicht rechtzeitig geantwortet. Versuchen Sie es erneut.",
  provider_failed: "Der Anbieter ist ausgefallen. Versuchen Sie es später.",
  provider_invalid:
    "Der Anbieter antwortet in einer unbekannten Form. Prüfen Sie die Adresse.",
  provider_busy: "Der Anbieter ist überlastet. Versuchen Sie es gleich erneut.",
  provider_unavailable:
    "Der Anbieter ist nicht erreichbar. Versuchen Sie es gleich erneut.",
  provider_test_unsupported:
    "Dieser Anbieter nennt seine Modelle nicht. Fügen Sie eines von Hand hinzu.",
  provider_exists: "Einen Anbieter dieses Namens gibt es schon.",
  secret_required: "Geben Sie das Geheimnis erneut ein: Die Adresse hat sich geändert.",
  address_not_allowed:
    "Diese Adresse ist nicht öffentlich. Die Administration kann sie erlauben.",
  address_grants_off:
    "Hier darf die Administration keine Adressen erlauben. Bitten Sie den Betreiber, sie in OUTGOING_ALLOW aufzunehmen.",
  address_malformed:
    "Eine Adresse besteht aus Rechner und Port. Schreiben Sie sie wie 127.0.0.1:11434.",
  address_never_allowed:
    "Diese Adresse wird nie erlaubt: Dort könnte es Zugangsdaten einer Cloud geben, oder es ist dieser Server selbst. Verwenden Sie eine andere.",
  address_public: "Diese Adresse ist öffentlich und braucht keine Erlaubnis.",
  too_many_allowed_addresses:
    "Mehr Adressen können nicht erlaubt werden. Nehmen Sie zuerst eine zurück.",
  allowed_address_not_found: "Diese Adresse ist nicht erlaubt. Laden Sie die Liste neu.",
  model_exists: "Dieses Modell gibt es schon.",
  available_model_exists: "Dieses Modell des Anbieters gibt es schon im Katalog.",
  fallbacks_repeated:
    "Ein Modell vertritt sich nicht selbst, und jedes wird nur einmal genannt. Lassen Sie die anderen weg.",
  fallback_unsuitable:
    "Ein Modell vertritt ein anderes derselben Art; für Einbettungen ist es dasselbe Modell, mit gleichem Namen und gleich langen Vektoren, bei einem anderen Anbieter. Wählen Sie ein anderes.",
  parameter_unsupported:
    "Einen dieser Parameter kann der Anbieter des Modells nicht annehmen. Lassen Sie ihn weg.",
  load_sharing_unsuitable:
    "Nur Vertretungen des Modells teilen sich seine Last, und jede einmal. Nennen Sie sie auch als Vertretung.",
  from_environment: "Das ist in der Umgebung eingestellt. Schalten Sie es stattdessen ab.",

  // everywhere
  validation_failed: "Eine Angabe ist nicht richtig. Prüfen Sie die Felder.",
  not_found: "Das gibt es nicht.",
  internal_error:
    "Bei uns ist etwas schiefgegangen. Versuchen Sie es erneut; wenn es bleibt, geben Sie Ihrer " +
    "Administration die Nummer der Anfrage.",
  body_too_large: "Das ist zu groß, um gesendet zu werden. Senden Sie weniger.",
  body_incomplete: "Die Übertragung brach ab. Senden Sie noch einmal.",
  body_too_slow: "Die Übertragung war zu langsam. Senden Sie noch einmal.",
  bodies_busy: "Der Server ist gerade ausgelastet. Versuchen Sie es gleich erneut.",
  server_busy: "Der Server ist gerade ausgelastet. Versuchen Sie es gleich erneut.",
  workers_busy: "Zu viele Exporte und Vergleiche warten. Versuchen Sie es gleich erneut.",
  workers_unavailable:
    "Dafür lässt sich gerade kein Prozess starten. Versuchen Sie es gleich erneut.",
  exports_busy: "Zu viele Exporte laufen. Versuchen Sie es gleich erneut.",
  export_limited: "So oft können Sie nicht exportieren. Versuchen Sie es später.",
  too_many_exports: "Sie haben zu viele Exporte zugleich. Warten Sie auf einen.",
  too_many_tasks:
    "Sie haben zu viele Exporte oder Vergleiche zugleich. Warten Sie auf einen.",
  too_many_requests: "Das waren zu viele Anfragen. Warten Sie einen Moment.",
  too_many_large_requests: "Zu viele große Anfragen zugleich. Warten Sie auf eine.",
  too_many_slow_requests:
    "Sie senden zu viele große oder langsame Anfragen zugleich. Warten Sie auf eine.",
  too_many_streams: "Zu viele Antworten sind offen. Schließen Sie ein anderes Fenster.",
  rate_limited: "Das war zu schnell hintereinander. Warten Sie einen Moment.",
  shutting_down: "Der Server wird gerade neu gestartet. Versuchen Sie es gleich erneut.",
  starting: "Der Server startet gerade. Versuchen Sie es gleich erneut.",
  database_too_slow:
    "Das dauerte der Datenbank zu lange. Fragen Sie weniger auf einmal, oder versuchen Sie es gleich erneut.",
  database_unavailable: "Die Datenbank antwortet nicht. Versuchen Sie es gleich erneut.",
  cache_unavailable:
    "Der Zwischenspeicher antwortet nicht. Versuchen Sie es gleich erneut.",
  storage_failed: "Der Dateispeicher antwortet nicht. Versuchen Sie es gleich erneut.",
  disk_full: "Der Speicher des Servers ist voll. Die Administration muss Platz schaffen.",
  service_unreachable:
    "Ein Teil des Servers ist nicht erreichbar. Versuchen Sie es gleich erneut.",
  upstream_timeout:
    "Ein Teil des Servers antwortet nicht rechtzeitig. Versuchen Sie es erneut.",
  web_app_not_built: "Die Oberfläche ist nicht gebaut.",
};
