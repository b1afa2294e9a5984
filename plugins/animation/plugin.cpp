#include "cooker/plugin/qt_plugin.h"
#include "plugins/animation/animation_plugin.h"

class AnimationQtPlugin final : public QObject, public simmer::QtPlugin {
  Q_OBJECT
  Q_PLUGIN_METADATA(IID SIMMER_PLUGIN_IID FILE "animation.json")
  Q_INTERFACES(simmer::QtPlugin)
 public:
  const simmer::AssetPlugin& plugin() const override { return m_plugin; }

 private:
  simmer::animation::AnimationPlugin m_plugin;
};

#include "plugin.moc"
