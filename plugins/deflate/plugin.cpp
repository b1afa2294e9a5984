#include "cooker/plugin/qt_plugin.h"
#include "plugins/deflate/deflate.h"

class DeflateQtPlugin final : public QObject, public simmer::QtPlugin {
  Q_OBJECT
  Q_PLUGIN_METADATA(IID SIMMER_PLUGIN_IID FILE "deflate.json")
  Q_INTERFACES(simmer::QtPlugin)

 public:
  const simmer::AssetPlugin& plugin() const override { return m_plugin; }

 private:
  simmer::DeflatePlugin m_plugin;
};

#include "plugin.moc"
